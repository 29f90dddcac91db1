//===- Element.cpp - element conversions ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace tile;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

uint64_t bitsOf(DType dtype, double value) {
  uint64_t bits = 0;
  writeElement(dtype, &bits, value);
  return bits;
}
} // namespace

TEST(Element, KnownPatterns) {
  EXPECT_EQ(bitsOf(DType::f32, 1.5), 0x3fc00000u);
  EXPECT_EQ(bitsOf(DType::f16, 1.0), 0x3c00u);
  EXPECT_EQ(bitsOf(DType::f16, -2.0), 0xc000u);
  EXPECT_EQ(bitsOf(DType::f16, 65504), 0x7bffu);
  EXPECT_EQ(bitsOf(DType::f16, std::ldexp(1, -24)), 0x0001u);
  EXPECT_EQ(bitsOf(DType::bf16, 1.0), 0x3f80u);
  EXPECT_EQ(bitsOf(DType::bf16, -0.0), 0x8000u);
  EXPECT_EQ(bitsOf(DType::e4m3, 1.0), 0x38u);
  EXPECT_EQ(bitsOf(DType::e4m3, 448), 0x7eu);
  EXPECT_EQ(bitsOf(DType::e5m2, 1.0), 0x3cu);
  EXPECT_EQ(bitsOf(DType::e5m2, 57344), 0x7bu);
}

TEST(Element, RoundsToNearestEven) {
  EXPECT_EQ(bitsOf(DType::bf16, 1 + std::ldexp(1, -8)), 0x3f80u);
  EXPECT_EQ(bitsOf(DType::bf16, 1 + 3 * std::ldexp(1, -8)), 0x3f82u);
  EXPECT_EQ(bitsOf(DType::f16, 2047.5), 0x6800u); // the carry moves into the exponent
  EXPECT_EQ(bitsOf(DType::f16, std::ldexp(1, -25)), 0u);
}

TEST(Element, OverflowAndNaN) {
  EXPECT_EQ(bitsOf(DType::f16, 65520), 0x7c00u);
  EXPECT_EQ(bitsOf(DType::bf16, 1e300), 0x7f80u);
  EXPECT_EQ(bitsOf(DType::f16, -inf), 0xfc00u);
  EXPECT_EQ(bitsOf(DType::e4m3, 1e6), 0x7eu);
  EXPECT_EQ(bitsOf(DType::e4m3, -inf), 0xfeu);
  EXPECT_EQ(bitsOf(DType::e5m2, inf), 0x7bu);
  for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::e4m3, DType::e5m2}) {
    uint64_t bits = bitsOf(dtype, notANumber);
    EXPECT_TRUE(std::isnan(readElement(dtype, &bits))) << name(dtype);
  }
}

TEST(Element, EveryPatternSurvives) {
  for (DType dtype : {DType::f16, DType::bf16, DType::e4m3, DType::e5m2}) {
    uint32_t patterns = byteSize(dtype) == 2 ? 0x10000 : 0x100;
    for (uint64_t bits = 0; bits < patterns; ++bits) {
      double value = readElement(dtype, &bits);
      // e5m2 infinities saturate on the way back.
      if (std::isnan(value) || (dtype == DType::e5m2 && std::isinf(value)))
        continue;
      ASSERT_EQ(bitsOf(dtype, value), bits) << name(dtype);
    }
  }
}

TEST(Element, IntegersSaturate) {
  int8_t byte = 0;
  writeElement(DType::i8, &byte, 300);
  EXPECT_EQ(byte, 127);
  writeElement(DType::i8, &byte, -300);
  EXPECT_EQ(byte, -128);
  int64_t wide = 0;
  writeElement(DType::i64, &wide, 1e30);
  EXPECT_EQ(wide, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(bitsOf(DType::i1, 5), 1u);
}

TEST(Element, Names) {
  for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::e4m3, DType::e5m2, DType::i1,
                      DType::i8, DType::i16, DType::i32, DType::i64})
    EXPECT_EQ(parseDType(name(dtype)), dtype);
  EXPECT_EQ(parseDType("float"), std::nullopt);
}

//===- CastTest.cpp - conversions to and from 8-bit floats ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FloatReference.h"
#include "Harness.h"

#include <cmath>
#include <cstring>

using namespace tile::test;
using tile::DType;

namespace {
/// `bits` as the elements of a tensor.
GuardedTensor tensorOf(DType dtype, const std::vector<uint32_t> &bits) {
  GuardedTensor tensor(dtype, {static_cast<int64_t>(bits.size())});
  for (size_t i = 0; i < bits.size(); ++i)
    memcpy(tensor.address(static_cast<int64_t>(i)), &bits[i], byteSize(dtype));
  return tensor;
}

uint32_t bitsAt(const GuardedTensor &tensor, size_t i) {
  uint32_t bits = 0;
  memcpy(&bits, tensor.address(static_cast<int64_t>(i)), byteSize(tensor.dtype()));
  return bits;
}

class CastElements : public KernelTest {};

/// Bit for bit, but for the payload of a NaN in a wider type.
TEST_P(CastElements, RoundsOnce) {
  DType from = variant().dtype(), to = variant().info->params[1].dtype;
  bool saturate = variant().config("saturate") != 0;
  std::vector<uint32_t> samples = castSamples(from, isInterpreted() ? 1000 : 100000);
  GuardedTensor x = tensorOf(from, samples), y(to, {x.elements()});
  EXPECT_OK(run(variant(), {x, y}));
  int wrong = 0;
  for (size_t i = 0; i < samples.size() && wrong < 10; ++i) {
    double value = valueOf(from, samples[i]);
    uint32_t found = bitsAt(y, i);
    bool right = byteSize(to) == 1   ? found == roundTo8(to, value, saturate)
                 : std::isnan(value) ? std::isnan(valueOf(to, found))
                                     : valueOf(to, found) == value &&
                                           std::signbit(valueOf(to, found)) == std::signbit(value);
    wrong += !right;
    EXPECT_TRUE(right) << "bits " << std::hex << samples[i] << " became " << found << ", value "
                       << value;
  }
}
TILE_INSTANTIATE(CastElements, "cast_elements");

class CastScalars : public KernelTest {};

TEST_P(CastScalars, ElementsAndIntegers) {
  DType dtype = variant().dtype();
  DType other = dtype == DType::e4m3 ? DType::e5m2 : DType::e4m3;
  GuardedTensor x(dtype, {64}), y(DType::i32, {64}), back(dtype, {64}), z(other, {1});
  for (int64_t i = 0; i < 64; ++i)
    x.set(i, i < 32 ? static_cast<double>(i) / 4 : -static_cast<double>(7 * i));
  x.set(0, 0.1);
  EXPECT_OK(run(variant(), {x, y, back, z}));
  for (int64_t i = 0; i < 64; ++i) {
    double whole = std::trunc(x.get(i));
    EXPECT_EQ(y.get(i), whole) << i;
    EXPECT_EQ(bitsAt(back, static_cast<size_t>(i)), roundTo8(dtype, whole + 0.0, true)) << i;
  }
  EXPECT_EQ(bitsAt(z, 0), roundTo8(other, x.get(0), true));
}
TILE_INSTANTIATE(CastScalars, "cast_scalars");
} // namespace

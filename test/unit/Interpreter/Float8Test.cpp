//===- Float8Test.cpp - 8-bit floats and functions in the interpreter -----===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of test/kernels/ops and the library's, as the GPU runs them, against the references
// of test/kernels.
//===----------------------------------------------------------------------===//
#include "FloatReference.h"
#include "Gemm.h"

#include "tilec/Dialect/SM/IR/SM.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace tilec::test;
using ::tile::DType;
using ::tile::test::castSamples;
using ::tile::test::roundTo8;
using ::tile::test::valueOf;

namespace {

char *data(HostTensor &tensor) { return static_cast<char *>(tensor.view().data); }

uint32_t bitsAt(HostTensor &tensor, size_t i) {
  size_t size = static_cast<size_t>(::tile::byteSize(tensor.dtype));
  uint32_t bits = 0;
  std::memcpy(&bits, data(tensor) + i * size, size);
  return bits;
}

class Cast : public testing::TestWithParam<std::tuple<DType, DType, bool>> {};

TEST_P(Cast, RoundsOnce) {
  auto [from, to, saturate] = GetParam();
  constexpr const char *numbers[] = {"0", "1", "2", "3", "4"};
  LibraryKernel kernel("cast_elements", ::tile::name(from),
                       {{"to", numbers[static_cast<int>(to)]}, {"saturate", saturate ? "1" : "0"}});
  std::vector<uint32_t> samples = castSamples(from);
  HostTensor x(from, {static_cast<int64_t>(samples.size())}), y(to, x.shape);
  for (size_t i = 0; i < samples.size(); ++i)
    std::memcpy(data(x) + i * ::tile::byteSize(from), &samples[i], ::tile::byteSize(from));
  ::tile::Tensor xs = x.view(), ys = y.view();
  ASSERT_EQ(kernel.run({xs, ys}), "");
  for (size_t i = 0; i < samples.size(); ++i) {
    double value = valueOf(from, samples[i]);
    uint32_t found = bitsAt(y, i);
    if (::tile::byteSize(to) == 1)
      ASSERT_EQ(found, roundTo8(to, value, saturate)) << std::hex << samples[i];
    else if (std::isnan(value))
      ASSERT_TRUE(std::isnan(valueOf(to, found))) << std::hex << samples[i];
    else
      ASSERT_EQ(valueOf(to, found), value) << std::hex << samples[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Narrow, Cast,
                         testing::Combine(testing::Values(DType::f32, DType::f16, DType::bf16),
                                          testing::Values(DType::e4m3, DType::e5m2),
                                          testing::Bool()));
INSTANTIATE_TEST_SUITE_P(Widen, Cast,
                         testing::Combine(testing::Values(DType::e4m3, DType::e5m2),
                                          testing::Values(DType::f32, DType::f16, DType::bf16),
                                          testing::Values(true)));
INSTANTIATE_TEST_SUITE_P(Exchange, Cast,
                         testing::Values(std::tuple{DType::e4m3, DType::e5m2, true},
                                         std::tuple{DType::e4m3, DType::e5m2, false},
                                         std::tuple{DType::e5m2, DType::e4m3, true},
                                         std::tuple{DType::e5m2, DType::e4m3, false}));

/// The models of the approximations are exact to rounding, so this checks what is made of them.
TEST(Functions, AreWithinTheStatedErrors) {
  const auto &list = ::tile::test::functions();
  for (size_t number = 0; number < list.size(); ++number) {
    LibraryKernel kernel("apply_function", "f32", {{"function", std::to_string(number)}});
    std::vector<float> samples = ::tile::test::functionSamples(list[number], 1 << 16, number);
    HostTensor x(DType::f32, {static_cast<int64_t>(samples.size())}), y(DType::f32, x.shape);
    std::memcpy(data(x), samples.data(), samples.size() * sizeof(float));
    ::tile::Tensor xs = x.view(), ys = y.view();
    ASSERT_EQ(kernel.run({xs, ys}), "");
    for (size_t i = 0; i < samples.size(); ++i) {
      float found;
      std::memcpy(&found, data(y) + 4 * i, sizeof found);
      ASSERT_EQ(::tile::test::checkFunction(list[number], samples[i], found), "");
    }
  }
}

/// Operands of whole numbers: sums are exact.
class Product8 : public testing::TestWithParam<Config> {};

TEST_P(Product8, AgreesWithTheReference) {
  for (const char *type : {"e4m3", "e5m2"}) {
    LibraryKernel kernel("gemm8", type, GetParam());
    bool mixed = false;
    for (auto &[field, value] : GetParam())
      mixed |= field == "mixed" && value == "1";
    DType typeA = *::tile::parseDType(type), typeB = typeA;
    if (mixed)
      typeB = typeA == DType::e4m3 ? DType::e5m2 : DType::e4m3;
    for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{64, 72, 128}, {70, 100, 300}}) {
      HostTensor a(DType::f32, {m, k}), b(typeB, {n, k}), c(DType::f32, {m, n});
      std::mt19937 random(5);
      for (HostTensor *tensor : {&a, &b})
        for (int64_t i = 0; i < tensor->count(); ++i)
          tensor->set(i, static_cast<double>(random() % 9) - 4);
      ::tile::Tensor as = a.view(), bs = b.view(), cs = c.view();
      ASSERT_EQ(kernel.run({as, bs, cs}), "");
      for (int64_t i = 0; i < c.count(); ++i) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += a.at(i / n * k + l) * b.at(i % n * k + l);
        ASSERT_EQ(c.at(i), sum) << type << ", element " << i;
      }
    }
  }
}

Config product(const char *m, const char *n, const char *k, const char *mixed,
               const char *registers) {
  return {
      {"block_m", m}, {"block_n", n}, {"block_k", k}, {"mixed", mixed}, {"registers", registers}};
}
INSTANTIATE_TEST_SUITE_P(Shared, Product8,
                         testing::Values(product("64", "72", "128", "1", "0"),
                                         product("128", "24", "32", "0", "0"),
                                         product("64", "64", "64", "1", "0"),
                                         product("16", "40", "64", "1", "0")));
INSTANTIATE_TEST_SUITE_P(Registers, Product8,
                         testing::Values(product("64", "72", "128", "1", "1"),
                                         product("128", "24", "32", "0", "1"),
                                         product("16", "40", "64", "1", "1")));

/// Whole numbers that stay exact, rounded in between.
TEST(ChainedGemm8, FeedsTheSecondProduct) {
  for (const char *type : {"e4m3", "e5m2"})
    for (int64_t m : {16, 64, 128}) {
      DType dtype = *::tile::parseDType(type);
      LibraryKernel kernel("chained_gemm8", type, {{"block_m", std::to_string(m)}});
      HostTensor a(dtype, {m, 64}), b(dtype, {128, 64}), v(dtype, {32, 128}),
          c(DType::f32, {m, 32});
      std::mt19937 random(6);
      for (HostTensor *tensor : {&a, &b, &v})
        for (int64_t i = 0; i < tensor->count(); ++i)
          tensor->set(i, static_cast<double>(random() % 3) - 1);
      ::tile::Tensor as = a.view(), bs = b.view(), vs = v.view(), cs = c.view();
      ASSERT_EQ(kernel.run({as, bs, vs, cs}), "");
      for (int64_t row = 0; row < m; ++row)
        for (int64_t column = 0; column < 32; ++column) {
          double sum = 0;
          for (int64_t n = 0; n < 128; ++n) {
            double middle = 0;
            for (int64_t d = 0; d < 64; ++d)
              middle += a.at(row * 64 + d) * b.at(n * 64 + d);
            sum += valueOf(dtype, roundTo8(dtype, middle, true)) * v.at(column * 128 + n);
          }
          ASSERT_EQ(c.at(row * 32 + column), sum) << type << " " << m << ", row " << row;
        }
    }
}

TEST(Gemm8, AgreesOnBothPaths) {
  for (const char *type : {"e4m3", "e5m2"})
    for (Path path : {Path::simple, Path::scheduled}) {
      LibraryKernel kernel("gemm", type,
                           {{"block_n", "256"},
                            {"block_k", "128"},
                            {"stages", "4"},
                            {"transpose_b", "1"},
                            {"aligned", "1"}},
                           path);
      bool split = false;
      kernel.module().walk([&](mlir::sm::TmaLoadOp) { split = true; });
      EXPECT_EQ(split, path == Path::scheduled);
      for (auto [m, n, k] :
           {std::tuple<int64_t, int64_t, int64_t>{128, 256, 128}, {200, 264, 912}, {100, 72, 48}}) {
        SCOPED_TRACE(testing::Message() << type << " " << m << " " << n << " " << k);
        GemmCall call(*::tile::parseDType(type), m, n, k, /*transposed=*/true, DType::bf16);
        EXPECT_EQ(kernel.run(call.arguments()), "");
        EXPECT_EQ(call.check(), "");
      }
    }
}

} // namespace

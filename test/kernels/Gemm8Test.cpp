//===- Gemm8Test.cpp - products of 8-bit floats against double ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "FloatReference.h"
#include "Harness.h"

#include <cmath>

using namespace tile::test;
using tile::DType;

namespace {
/// The tensor cores add products of 8 bits with about 13 bits below the largest term, and cut the
/// rest.
constexpr double accumulation = 0x1p-11;

std::vector<double> rounded(DType dtype, std::vector<double> values) {
  for (double &value : values)
    value = valueOf(dtype, roundTo8(dtype, value, true));
  return values;
}

/// Each element within `accumulation` of the sum of its terms' sizes, and `relative` of its own.
void expectProduct(const std::vector<double> &found, const std::vector<double> &a,
                   const std::vector<double> &b, int64_t m, int64_t n, int64_t k, double relative) {
  auto expected = matmul(a, b, m, n, k, true);
  auto absolute = [](std::vector<double> x) {
    for (double &value : x)
      value = std::fabs(value);
    return x;
  };
  auto sizes = matmul(absolute(a), absolute(b), m, n, k, true);
  EXPECT_OK(checkElements(found, expected, [&](size_t i) {
    return accumulation * sizes[i] + relative * std::fabs(expected[i]);
  }));
}

class Gemm8 : public KernelTest {};

TEST_P(Gemm8, OddExtents) {
  const auto extents = cases<int64_t>({1, 7, 16, 65, 100, 129}, {7, 65, 100});
  int turn = 0;
  for (int64_t m : extents)
    for (int64_t n : extents) {
      ++turn;
      int64_t k = extents[turn % extents.size()] + (turn % 2 ? 0 : 64);
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
      auto a = variant().matrix(0, m, k, turn % 3), b = variant().matrix(1, n, k, turn % 5);
      auto c = variant().matrix(2, m, n, turn % 2);
      a.setValues(normal(random, a.elements(), 3));
      b.setValues(normal(random, b.elements(), 3));
      EXPECT_OK(run(variant(), {a, b, c}));
      bool mixed = variant().config("mixed") != 0;
      DType other = b.dtype() == DType::e4m3 ? DType::e5m2 : DType::e4m3;
      expectProduct(c.values(), rounded(mixed ? other : b.dtype(), a.values()), b.values(), m, n, k,
                    1e-6);
    }
}
TILE_INSTANTIATE(Gemm8, "gemm8");

class ChainedGemm8 : public KernelTest {};

/// Whole numbers that stay exact: rounding in between has one result.
TEST_P(ChainedGemm8, FeedsTheSecondProduct) {
  int64_t m = variant().config("block_m");
  GuardedTensor a(variant().dtype(), {m, 64}), b(variant().dtype(), {128, 64});
  GuardedTensor v(variant().dtype(), {32, 128}), c(DType::f32, {m, 32});
  for (GuardedTensor *tensor : {&a, &b, &v})
    tensor->setValues(integers(random, tensor->elements(), -1, 1));
  EXPECT_OK(run(variant(), {a, b, v, c}));
  auto middle = rounded(variant().dtype(), matmul(a.values(), b.values(), m, 128, 64, true));
  EXPECT_EQ(c.values(), matmul(middle, v.values(), m, 32, 128, true));
}
TILE_INSTANTIATE(ChainedGemm8, "chained_gemm8");

class ScaledGemm : public KernelTest {
protected:
  void check(int64_t m, int64_t n, int64_t k) {
    n = variant().accepted("n", n), k = variant().accepted("k", k);
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
    auto a = variant().matrix(0, m, k, 0), b = variant().matrix(1, n, k, 0);
    auto c = variant().matrix(4, m, n, 0);
    GuardedTensor scaleA(DType::f32, {m}), scaleB(DType::f32, {n});
    a.setValues(normal(random, a.elements(), 20));
    b.setValues(normal(random, b.elements(), 20));
    scaleA.setValues(normal(random, m, 0.01));
    scaleB.setValues(normal(random, n, 0.01));
    EXPECT_OK(run(variant(), {a, b, scaleA, scaleB, c}));
    auto as = a.values(), bs = b.values();
    for (int64_t i = 0; i < m * k; ++i)
      as[i] *= scaleA.get(i / k);
    for (int64_t i = 0; i < n * k; ++i)
      bs[i] *= scaleB.get(i / k);
    expectProduct(c.values(), as, bs, m, n, k, c.dtype() == DType::bf16 ? 0x1p-8 : 1e-6);
  }
};

TEST_P(ScaledGemm, Extents) {
  for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{1, 8, 16},
                         {128, 256, 128},
                         {129, 264, 144},
                         {300, 520, 1040},
                         {40, 24, 0},
                         {0, 24, 16}})
    check(m, n, k);
}
TILE_INSTANTIATE(ScaledGemm, "scaled_gemm");
} // namespace

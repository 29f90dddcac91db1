//===- FaultTest.cpp - inputs that broke other compilers ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of faults/, all on integers: their results are exact. test/faults.md says which report
// each of them stands for.

#include "Harness.h"
#include "Reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tile::test;
using tile::DType;

namespace {
GuardedTensor tensorOf(DType dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  GuardedTensor tensor(dtype, shape);
  tensor.setValues(values);
  return tensor;
}

class GatherSum : public KernelTest {};

TEST_P(GatherSum, IdsInAnyOrderSomeOfThemInvalid) {
  const double low = std::numeric_limits<int32_t>::min(),
               high = std::numeric_limits<int32_t>::max();
  const std::vector<std::vector<double>> lists = {
      {5, 0, 0, -1, 6, 3, 1}, {}, {-1, -1}, {7, 8, high, low, 2}, {6}};
  for (const auto &ids : lists) {
    auto x = tensorOf(variant().dtype(), {7, 64}, integers(random, 7 * 64, -8, 8));
    auto list = tensorOf(DType::i32, {static_cast<int64_t>(ids.size())}, ids);
    GuardedTensor o(DType::f32, {64});
    EXPECT_OK(run(variant(), {x, list, o}));
    std::vector<double> expected(64, 0.0);
    for (double id : ids)
      for (int64_t i = 0; id >= 0 && id < 7 && i < 64; ++i)
        expected[i] += x.get(static_cast<int64_t>(id) * 64 + i);
    EXPECT_EQ(o.values(), expected);
  }
}
TILE_INSTANTIATE(GatherSum, "gather_sum");

class GuardedGemm : public KernelTest {};

TEST_P(GuardedGemm, EveryKindOfMask) {
  const int64_t m = 100, n = 72, k = 64 * 5 + 8;
  // None, all, alternating, only the first, only the last.
  for (int kind = 0; kind < 5; ++kind) {
    SCOPED_TRACE(kind);
    std::vector<double> mask(6);
    for (int64_t step = 0; step < 6; ++step)
      mask[step] = kind == 1 || (kind == 2 && step % 2) || (kind == 3 && step == 0) ||
                   (kind == 4 && step == 5);
    auto a = tensorOf(DType::bf16, {m, k}, integers(random, m * k, -2, 2));
    auto b = tensorOf(DType::bf16, {k, n}, integers(random, k * n, -2, 2));
    auto steps = tensorOf(DType::i32, {6}, mask);
    GuardedTensor c(DType::f32, {m, n});
    EXPECT_OK(run(variant(), {a, b, steps, c}));
    auto masked = a.values();
    for (int64_t i = 0; i < m * k; ++i)
      masked[i] *= mask[i % k / 64];
    EXPECT_EQ(c.values(), matmul(masked, b.values(), m, n, k, false));
  }
}
TILE_INSTANTIATE(GuardedGemm, "guarded_gemm");

class PrefixSum : public KernelTest {};

TEST_P(PrefixSum, EachBlockHasItsOwnNumberOfIterations) {
  for (int64_t rows : {1, 2, 3, 4, 9}) {
    auto x = tensorOf(DType::f32, {rows, 64}, integers(random, rows * 64, -9, 9));
    GuardedTensor o(DType::f32, {rows, 64});
    EXPECT_OK(run(variant(), {x, o}));
    auto expected = x.values();
    for (int64_t i = 64; i < rows * 64; ++i)
      expected[i] += expected[i - 64];
    EXPECT_EQ(o.values(), expected);
  }
}
TILE_INSTANTIATE(PrefixSum, "prefix_sum");

class TwoLoopGemm : public KernelTest {};

TEST_P(TwoLoopGemm, LoopsOfEveryLength) {
  const int64_t m = 64, n = 72;
  for (int64_t k : {8, 32, 64, 96, 256, 512}) {
    SCOPED_TRACE(k);
    auto a = tensorOf(DType::bf16, {m, k}, integers(random, m * k, -2, 2));
    auto b = tensorOf(DType::bf16, {k, n}, integers(random, k * n, -2, 2));
    GuardedTensor c(DType::f32, {m, n});
    EXPECT_OK(run(variant(), {a, b, c}));
    EXPECT_EQ(c.values(), matmul(a.values(), b.values(), m, n, k, false));
  }
}
TILE_INSTANTIATE(TwoLoopGemm, "two_loop_gemm");

class OverwrittenTile : public KernelTest {};

TEST_P(OverwrittenTile, ReadBeforeTheNextCopy) {
  for (int64_t rows : {1, 2, 3, 8, 33}) {
    auto x = tensorOf(DType::i32, {rows, 32}, integers(random, rows * 32, -99, 99));
    GuardedTensor o(DType::i32, {32});
    EXPECT_OK(run(variant(), {x, o}));
    std::vector<double> expected(32, 0.0);
    for (int64_t i = 0; i < rows * 32; ++i)
      expected[i % 32] += x.get(i);
    EXPECT_EQ(o.values(), expected);
  }
}
TILE_INSTANTIATE(OverwrittenTile, "overwritten_tile");

class ReusedTile : public KernelTest {};

TEST_P(ReusedTile, TwoUsesInOneIteration) {
  for (int64_t rows : {1, 2, 5, 16}) {
    auto x = tensorOf(DType::f16, {rows, 64}, integers(random, rows * 64, -9, 9));
    auto y = tensorOf(DType::f16, {rows, 64}, integers(random, rows * 64, -9, 9));
    GuardedTensor o(DType::f32, {64});
    EXPECT_OK(run(variant(), {x, y, o}));
    std::vector<double> expected(64, 0.0);
    for (int64_t i = 0; i < rows * 64; ++i)
      expected[i % 64] += x.get(i) + 2 * y.get(i);
    EXPECT_EQ(o.values(), expected);
  }
}
TILE_INSTANTIATE(ReusedTile, "reused_tile");

class CountIterations : public KernelTest {};

TEST_P(CountIterations, OfEveryLength) {
  for (double count : {0.0, 1.0, 2.0, 5.0, -3.0}) {
    auto n = tensorOf(DType::i32, {1}, {count});
    GuardedTensor o(DType::i32, {3});
    EXPECT_OK(run(variant(), {n, o}));
    double expected = std::max(count, 0.0);
    EXPECT_EQ(o.values(), (std::vector<double>{expected, expected, 0}));
  }
}
TILE_INSTANTIATE(CountIterations, "count_iterations");

class PaddedCopy : public KernelTest {};

TEST_P(PaddedCopy, WhatIsNotThereReadsAsThePad) {
  for (auto [rows, cols] :
       {std::pair(60, 60), std::pair(64, 1), std::pair(1, 63), std::pair(70, 130)})
    for (int64_t padding : {0, 1, 4}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
      const int64_t yRows = 128, yCols = 192;
      auto x = variant().matrix(0, rows, cols, padding);
      x.setValues(integers(random, rows * cols, -50, 50));
      auto y = variant().matrix(1, yRows, yCols, padding);
      EXPECT_OK(run(variant(), {x, y}));
      std::vector<double> expected(yRows * yCols, -99);
      for (int64_t i = 0; i < rows * cols; ++i)
        expected[i / cols * yCols + i % cols] = x.get(i);
      EXPECT_EQ(y.values(), expected);
    }
}
TILE_INSTANTIATE(PaddedCopy, "padded_copy");

class StoredOperand : public KernelTest {};

// A missing fence or barrier shows in some runs only.
TEST_P(StoredOperand, EveryRun) {
  const int64_t k = 256;
  auto a = tensorOf(DType::bf16, {64, k}, integers(random, 64 * k, -2, 2));
  auto b = tensorOf(DType::bf16, {k, 64}, integers(random, k * 64, -2, 2));
  GuardedTensor c(DType::f32, {64, 64});
  auto expected = matmul(a.values(), b.values(), 64, 64, k, false);
  for (int i = 0; i < (variant().device == tile::Device::cuda ? 100 : 2); ++i) {
    EXPECT_OK(run(variant(), {a, b, c}));
    ASSERT_EQ(c.values(), expected) << "run " << i;
  }
}
TILE_INSTANTIATE(StoredOperand, "stored_operand");

class ChainedGemm : public KernelTest {};

TEST_P(ChainedGemm, OneFragmentInTwoRoles) {
  auto a = tensorOf(DType::bf16, {64, 64}, integers(random, 64 * 64, -1, 1));
  auto b = tensorOf(DType::bf16, {128, 64}, integers(random, 128 * 64, -1, 1));
  auto v = tensorOf(DType::bf16, {128, 64}, integers(random, 128 * 64, -2, 2));
  GuardedTensor c(DType::f32, {64, 64}), s(DType::f32, {64, 128});
  EXPECT_OK(run(variant(), {a, b, v, c, s}));
  auto expected = matmul(a.values(), b.values(), 64, 128, 64, true);
  EXPECT_EQ(s.values(), expected);
  EXPECT_EQ(c.values(), matmul(expected, v.values(), 64, 64, 128, false));
}
TILE_INSTANTIATE(ChainedGemm, "chained_gemm");

class BothMaxima : public KernelTest {};

TEST_P(BothMaxima, OfOneTile) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (auto [rows, cols] :
       {std::pair(64, 96), std::pair(50, 70), std::pair(1, 1), std::pair(0, 5)}) {
    auto x = tensorOf(DType::f32, {rows, cols}, integers(random, rows * cols, -99, -1));
    GuardedTensor rowMax(DType::f32, {64}), colMax(DType::f32, {96});
    EXPECT_OK(run(variant(), {x, rowMax, colMax}));
    std::vector<double> inRows(64, -infinity), inCols(96, -infinity);
    for (int64_t i = 0; i < rows * cols; ++i) {
      inRows[i / cols] = std::max(inRows[i / cols], x.get(i));
      inCols[i % cols] = std::max(inCols[i % cols], x.get(i));
    }
    EXPECT_EQ(rowMax.values(), inRows);
    EXPECT_EQ(colMax.values(), inCols);
  }
}
TILE_INSTANTIATE(BothMaxima, "both_maxima");

class RowAbsmax : public KernelTest {};

TEST_P(RowAbsmax, PaddingDoesNotCount) {
  auto x = tensorOf(DType::f32, {7, 576}, integers(random, 7 * 576, -999, 99));
  GuardedTensor o(DType::f32, {7});
  EXPECT_OK(run(variant(), {x, o}));
  std::vector<double> expected(7, 0.0);
  for (int64_t i = 0; i < 7 * 576; ++i)
    expected[i / 576] = std::max(expected[i / 576], std::abs(x.get(i)));
  EXPECT_EQ(o.values(), expected);
}
TILE_INSTANTIATE(RowAbsmax, "row_absmax");

class Conditions : public KernelTest {};

TEST_P(Conditions, AreReadAgain) {
  for (double flag : {0.0, 1.0}) {
    auto f = tensorOf(DType::i32, {1}, {flag});
    GuardedTensor o(DType::i32, {2});
    EXPECT_OK(run(variant(), {f, o}));
    EXPECT_EQ(o.values(), (std::vector<double>{flag, 0}));
    EXPECT_EQ(f.get(0), 0.0);
  }
}
TILE_INSTANTIATE(Conditions, "conditions");

class Diagonal : public KernelTest {};

TEST_P(Diagonal, StoresOutsideTheTensorAreDropped) {
  for (auto [rows, cols] : {std::pair(5, 9), std::pair(9, 5), std::pair(1, 1)}) {
    GuardedTensor o(DType::i32, {rows, cols});
    auto expected = o.values();
    for (int64_t i = 0; i < std::min(rows, cols); ++i)
      expected[i * cols + i] = static_cast<double>(i);
    EXPECT_OK(run(variant(), {o}));
    EXPECT_EQ(o.values(), expected);
  }
}
TILE_INSTANTIATE(Diagonal, "diagonal");
} // namespace

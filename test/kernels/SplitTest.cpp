//===- SplitTest.cpp - softmax over parts that are merged -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "Harness.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tile::test;
using tile::DType;

namespace {
const double infinity = std::numeric_limits<double>::infinity();

double logSumExp(const std::vector<double> &values) {
  double largest = *std::max_element(values.begin(), values.end()), sum = 0;
  if (largest == -infinity)
    return -infinity;
  for (double value : values)
    sum += std::exp(value - largest);
  return largest + std::log(sum);
}

class MergeSplits : public KernelTest {};

TEST_P(MergeSplits, PartsWithAndWithoutKeys) {
  const int64_t dim = variant().config("head_dim");
  for (int64_t splits : {1, 2, 7})
    for (int64_t rows : {1, 16, 33}) {
      DType dtype = variant().dtype();
      GuardedTensor part(dtype, {splits, rows, dim}), lse(DType::f32, {splits, rows});
      GuardedTensor out(dtype, {rows, dim}), outLse(DType::f32, {rows});
      part.setValues(normal(random, splits * rows * dim));
      lse.setValues(normal(random, splits * rows, 5));
      for (int64_t i = 0; i < splits * rows; ++i)
        if (i % rows == 0 || pick(random, 0, 3) == 0) { // row 0 has no keys at all
          lse.set(i, -infinity);
          part.set(i * dim, std::numeric_limits<double>::quiet_NaN());
        }
      EXPECT_OK(run(variant(), {part, lse, out, outLse}));
      std::vector<double> expected(rows * dim, 0), sums(rows);
      for (int64_t row = 0; row < rows; ++row) {
        std::vector<double> all(splits);
        for (int64_t s = 0; s < splits; ++s)
          all[s] = lse.get(s * rows + row);
        sums[row] = logSumExp(all);
        for (int64_t s = 0; s < splits; ++s)
          for (int64_t i = 0; all[s] > -infinity && i < dim; ++i)
            expected[row * dim + i] +=
                std::exp(all[s] - sums[row]) * part.get((s * rows + row) * dim + i);
      }
      EXPECT_OK(checkElements(out.values(), expected,
                              [&](size_t i) { return unit(dtype, expected[i]) + 1e-5; }));
      EXPECT_OK(checkElements(outLse.values(), sums,
                              [&](size_t i) { return 1e-5 * std::max(1.0, std::abs(sums[i])); }));
    }
}
TILE_INSTANTIATE(MergeSplits, "merge_splits");

class SplitLogSumExp : public KernelTest {};

TEST_P(SplitLogSumExp, EverySplit) {
  for (int64_t splits : {1, 3, 130})
    for (int64_t cols : {1, 1000, 5003}) {
      const int64_t rows = 5;
      GuardedTensor x(DType::f32, {rows, cols}), y(DType::f32, {rows});
      GuardedTensor part(DType::f32, {rows, splits}), ticket(DType::i32, {rows});
      x.setValues(normal(random, rows * cols, 10));
      for (int64_t i = 0; i < cols; ++i)
        x.set(3 * cols + i, -infinity);
      ticket.setValues(std::vector<double>(rows, 0));
      EXPECT_OK(run(variant(), {x, y, part, ticket}));
      std::vector<double> expected(rows), all = x.values();
      for (int64_t row = 0; row < rows; ++row)
        expected[row] = logSumExp({all.begin() + row * cols, all.begin() + (row + 1) * cols});
      EXPECT_OK(checkElements(y.values(), expected, [&](size_t i) {
        return 2e-5 * std::max(1.0, std::abs(expected[i]));
      }));
      EXPECT_EQ(ticket.values(), std::vector<double>(rows, 0));
    }
}
TILE_INSTANTIATE(SplitLogSumExp, "split_logsumexp");
} // namespace

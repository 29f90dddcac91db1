//===- GroupedGemmTest.cpp - runs of rows with a matrix each ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include "Compare.h"

#include <cmath>

using namespace tile::test;
using tile::Arg;
using tile::DType;

namespace {
/// out = start + a [m, k] * b, given by its element at (row, k, n): products of 16 bits are exact,
/// the sums are in f32 in any order, k + 1 terms, each addition off by 2^-24 of what it gives at
/// most. (Products of 8 bits: Ops.h says 2^-11 of the terms' sizes.)
void expectProduct(const GuardedTensor &a, const GuardedTensor &out,
                   const std::vector<double> &start, int64_t n,
                   const std::function<double(int64_t, int64_t, int64_t)> &b, bool is8) {
  const int64_t m = a.shape()[0], k = a.shape()[1];
  std::vector<double> expected(start), sizes(start.size());
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = start[i * n + j], size = std::abs(sum);
      for (int64_t l = 0; l < k; ++l) {
        double term = a.get(i * k + l) * b(i, l, j);
        sum += term;
        size += std::abs(term);
      }
      expected[i * n + j] = sum;
      sizes[i * n + j] = size;
    }
  const double roundings = is8 ? 0x1p-11 : static_cast<double>(k + 1) * 0x1p-24;
  EXPECT_OK(checkElements(out.values(), expected, [&](size_t i) { return roundings * sizes[i]; }));
}

class GroupedProduct : public KernelTest {};

TEST_P(GroupedProduct, EachRunByItsMatrix) {
  DType dtype = variant().dtype();
  const int64_t rows = variant().config("rows"), groups = variant().config("groups"),
                cols = variant().config("cols"), depth = variant().config("depth");
  const bool columnsLast = variant().config("columns_last") != 0;
  GuardedTensor a(dtype, {rows, depth});
  GuardedTensor b(dtype, columnsLast ? std::vector<int64_t>{groups, depth, cols}
                                     : std::vector<int64_t>{groups, cols, depth});
  GuardedTensor start(DType::f32, {rows, cols}), out(DType::f32, {rows, cols});
  a.setValues(normal(random, a.elements()));
  b.setValues(normal(random, b.elements()));
  start.setValues(normal(random, start.elements()));
  EXPECT_OK(run(variant(), {a, b, start, out}));
  expectProduct(
      a, out, start.values(), cols,
      [&](int64_t row, int64_t k, int64_t n) {
        int64_t matrix = row / (rows / groups);
        return b.get(matrix * cols * depth + (columnsLast ? k * cols + n : n * depth + k));
      },
      dtype == DType::e4m3);
}
TILE_INSTANTIATE(GroupedProduct, "grouped_product");

class GroupedPart : public KernelTest {};

TEST_P(GroupedPart, WhereverItStarts) {
  const int64_t taken = variant().config("taken"), cols = variant().config("cols"),
                depth = variant().config("depth"), rows = 64 * taken;
  GuardedTensor a(variant().dtype(), {rows, depth});
  GuardedTensor b(variant().dtype(), {5, cols + 16, depth + 64});
  a.setValues(normal(random, a.elements()));
  b.setValues(normal(random, b.elements()));
  for (auto [first, row] : {std::pair<int64_t, int64_t>(0, 0), {5 - taken, 2}, {1, 1}}) {
    SCOPED_TRACE("matrix " + std::to_string(first) + ", row " + std::to_string(8 * row));
    GuardedTensor out(DType::f32, {rows, cols});
    EXPECT_OK(run(variant(),
                  {a, b, out, Arg::integer(DType::i32, first), Arg::integer(DType::i32, row)}));
    expectProduct(
        a, out, std::vector<double>(rows * cols, 0.0), cols,
        [&, first = first, row = row](int64_t i, int64_t k, int64_t n) {
          return b.get(((first + i / 64) * (cols + 16) + 8 * row + n) * (depth + 64) + 64 + k);
        },
        false);
  }
}
TILE_INSTANTIATE(GroupedPart, "grouped_part");
} // namespace

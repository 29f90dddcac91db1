//===- AxesTest.cpp - product axes and parts of shared tiles --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "Harness.h"

#include <algorithm>

using namespace tile::test;
using tile::Arg;
using tile::DType;

namespace {
std::vector<double> sample(Random &random, DType dtype, int64_t count) {
  return dtype == DType::f32 || dtype == DType::bf16 ? normal(random, count)
                                                     : integers(random, count, -100, 100);
}

class ExchangeFactors : public KernelTest {};

TEST_P(ExchangeFactors, Rows) {
  const int64_t outer = variant().config("outer"), inner = variant().config("inner");
  for (int64_t rows : {1, 16, 33, 100}) {
    SCOPED_TRACE(rows);
    GuardedTensor x(variant().dtype(), {rows, outer * inner}),
        y(variant().dtype(), {rows, outer * inner});
    x.setValues(sample(random, x.dtype(), x.elements()));
    EXPECT_OK(run(variant(), {x, y}));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < outer; ++i)
        for (int64_t j = 0; j < inner; ++j)
          ASSERT_EQ(y.get(r * outer * inner + j * outer + i),
                    x.get(r * outer * inner + i * inner + j))
              << r << ", " << i << ", " << j;
  }
}
TILE_INSTANTIATE(ExchangeFactors, "exchange_factors");

class ReverseAxis : public KernelTest {};

TEST_P(ReverseAxis, Rows) {
  const int64_t length = variant().config("inner");
  for (int64_t rows : {1, 31, 100}) {
    SCOPED_TRACE(rows);
    GuardedTensor x(variant().dtype(), {rows, length}), y(variant().dtype(), {rows, length});
    GuardedTensor z(variant().dtype(), {rows});
    x.setValues(sample(random, x.dtype(), x.elements()));
    EXPECT_OK(run(variant(), {x, y, z}));
    for (int64_t r = 0; r < rows; ++r) {
      ASSERT_EQ(z.get(r), x.get(r * length));
      for (int64_t i = 0; i < length; ++i)
        ASSERT_EQ(y.get(r * length + i), x.get(r * length + length - 1 - i)) << r << ", " << i;
    }
  }
}
TILE_INSTANTIATE(ReverseAxis, "reverse_axis");

class PackedScores : public KernelTest {
protected:
  void check(int64_t queries, int64_t keys) {
    SCOPED_TRACE(std::to_string(queries) + " queries, " + std::to_string(keys) + " keys");
    const int64_t heads = variant().config("heads"), dim = variant().config("dim");
    GuardedTensor q(variant().dtype(), {queries, heads, dim}), k(variant().dtype(), {keys, dim});
    GuardedTensor w(DType::f32, {queries, heads}), out(DType::f32, {queries, keys});
    q.setValues(normal(random, q.elements()));
    k.setValues(normal(random, k.elements()));
    w.setValues(normal(random, w.elements()));
    EXPECT_OK(run(variant(), {q, k, w, out}));
    for (int64_t i = 0; i < queries; ++i)
      for (int64_t n = 0; n < keys; ++n) {
        double expected = 0, size = 0;
        for (int64_t h = 0; h < heads; ++h) {
          double dot = 0;
          for (int64_t d = 0; d < dim; ++d)
            dot += q.get((i * heads + h) * dim + d) * k.get(n * dim + d);
          double term = std::max(dot, 0.0) * w.get(i * heads + h);
          expected += term;
          size += std::abs(term);
        }
        ASSERT_NEAR(out.get(i * keys + n), expected, 1e-5 * size + 1e-4) << i << ", " << n;
      }
  }
};

TEST_P(PackedScores, Lengths) {
  const int64_t block = variant().config("queries");
  for (int64_t queries : {int64_t(1), block, 2 * block + 3})
    for (int64_t keys : {1, 64, 150})
      check(queries, keys);
}
TILE_INSTANTIATE(PackedScores, "packed_scores");

/// c = a [m, k] * b, b given by its element at (k, n). Sums of k terms in f32, in any order: off by
/// lambda * sqrt(k) roundings of the terms' sizes at most, but with a probability of 2 *
/// exp(-lambda^2 / 2) (Higham and Mary, "A new approach to probabilistic rounding error analysis",
/// 2019, theorem 2.4).
void expectProduct(const GuardedTensor &a, const GuardedTensor &c, int64_t m, int64_t n, int64_t k,
                   const std::function<double(int64_t, int64_t)> &b) {
  std::vector<double> expected(m * n, 0), sizes(m * n, 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j) {
        double term = a.get(i * k + l) * b(l, j);
        expected[i * n + j] += term;
        sizes[i * n + j] += std::abs(term);
      }
  const double lambda = 6, roundings = lambda * std::sqrt(static_cast<double>(k)) * 0x1p-24;
  EXPECT_OK(checkElements(c.values(), expected, [&](size_t i) { return roundings * sizes[i]; }));
}

class PagedGemm : public KernelTest {};

TEST_P(PagedGemm, PagesInAnyOrder) {
  const int64_t rows = variant().config("rows"), depth = variant().config("depth"),
                pages = variant().config("pages"), page = rows / pages;
  GuardedTensor a(variant().dtype(), {rows, depth}), b(variant().dtype(), {pages, page, depth});
  GuardedTensor order(DType::i32, {pages}), c(DType::f32, {rows, rows});
  a.setValues(normal(random, a.elements()));
  b.setValues(normal(random, b.elements()));
  order.setValues(integers(random, pages, 0, pages - 1));
  EXPECT_OK(run(variant(), {a, b, order, c}));
  expectProduct(a, c, rows, rows, depth, [&](int64_t k, int64_t n) {
    int64_t from = static_cast<int64_t>(order.get(n / page));
    return b.get((from * page + n % page) * depth + k);
  });
}
TILE_INSTANTIATE(PagedGemm, "paged_gemm");

class SteppedGemm : public KernelTest {};

TEST_P(SteppedGemm, PartsOfBothOperands) {
  const int64_t rows = variant().config("rows"), depth = variant().config("depth");
  GuardedTensor a(variant().dtype(), {rows, depth}), b(variant().dtype(), {depth, rows});
  GuardedTensor c(DType::f32, {rows, rows});
  a.setValues(normal(random, a.elements()));
  b.setValues(normal(random, b.elements()));
  EXPECT_OK(run(variant(), {a, b, c}));
  expectProduct(a, c, rows, rows, depth, [&](int64_t k, int64_t n) { return b.get(k * rows + n); });
}
TILE_INSTANTIATE(SteppedGemm, "stepped_gemm");

class DoublePart : public KernelTest {};

TEST_P(DoublePart, WhereverItStarts) {
  const int64_t rows = variant().config("rows"), depth = variant().config("depth"),
                part = variant().config("part"), step = variant().config("step");
  for (int64_t row : {int64_t(0), int64_t(1), int64_t(8), rows - part})
    for (int64_t column : {int64_t(0), std::min<int64_t>(1, depth - step), depth - step}) {
      SCOPED_TRACE(std::to_string(row) + ", " + std::to_string(column));
      GuardedTensor x(variant().dtype(), {rows, depth}), y(variant().dtype(), {rows, depth});
      GuardedTensor z(variant().dtype(), {part, step});
      x.setValues(normal(random, x.elements()));
      EXPECT_OK(run(variant(),
                    {x, y, z, Arg::integer(DType::i32, row), Arg::integer(DType::i32, column)}));
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < depth; ++j) {
          bool inside = i >= row && i < row + part && j >= column && j < column + step;
          double expected = x.get(i * depth + j) * (inside ? 2 : 1);
          ASSERT_EQ(y.get(i * depth + j), expected) << i << ", " << j;
          if (inside)
            ASSERT_EQ(z.get((i - row) * step + j - column), expected) << i << ", " << j;
        }
    }
}
TILE_INSTANTIATE(DoublePart, "double_part");

class CenterGroups : public KernelTest {};

TEST_P(CenterGroups, AlongPartsOfAnAxis) {
  const int64_t groups = variant().config("groups"), size = variant().config("size"),
                cols = groups * size;
  for (int64_t rows : {1, 16, 21}) {
    DType dtype = variant().dtype();
    GuardedTensor x(dtype, {rows, cols}), f(dtype, {rows, groups}), y(dtype, {rows, cols}),
        top(dtype, {rows, groups});
    x.setValues(integers(random, rows * cols, -999, 999));
    f.setValues(integers(random, rows * groups, -99, 99));
    EXPECT_OK(run(variant(), {x, f, y, top}));
    std::vector<double> largest(rows * groups, -1e9), expected(rows * cols);
    for (int64_t i = 0; i < rows * cols; ++i)
      largest[i / size] = std::max(largest[i / size], x.get(i));
    for (int64_t i = 0; i < rows * cols; ++i)
      expected[i] = x.get(i) - largest[i / size] + f.get(i / size);
    EXPECT_EQ(top.values(), largest);
    EXPECT_EQ(y.values(), expected);
  }
}
TILE_INSTANTIATE(CenterGroups, "center_groups");
} // namespace

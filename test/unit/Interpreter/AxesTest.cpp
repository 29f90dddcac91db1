//===- AxesTest.cpp - product axes and parts of shared tiles in the interpreter -===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelRun.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tilec::test;
using ::tile::DType;

namespace {
Config config(std::initializer_list<std::pair<const char *, int64_t>> fields) {
  Config result;
  for (auto [name, value] : fields)
    result.push_back({name, std::to_string(value)});
  return result;
}

HostTensor integerTensor(std::vector<int64_t> shape, const std::vector<int64_t> &values) {
  HostTensor result(DType::i32, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i)
    result.set(static_cast<int64_t>(i), static_cast<double>(values[i]));
  return result;
}

void expectProduct(const HostTensor &c, int64_t m, int64_t n, int64_t k,
                   const std::function<double(int64_t, int64_t)> &a,
                   const std::function<double(int64_t, int64_t)> &b) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double expected = 0, size = 0;
      for (int64_t l = 0; l < k; ++l) {
        expected += a(i, l) * b(l, j);
        size += std::fabs(a(i, l) * b(l, j));
      }
      ASSERT_NEAR(c.at(i * n + j), expected, 1e-5 * size) << i << ", " << j;
    }
}

TEST(Axes, FactorsChangePlaces) {
  for (const char *dtype : {"f32", "i8"})
    for (auto [outer, inner] : {std::pair<int64_t, int64_t>{2, 8}, {16, 4}, {3, 5}, {4, 24}}) {
      LibraryKernel kernel("exchange_factors", dtype, config({{"outer", outer}, {"inner", inner}}));
      const int64_t rows = 33, length = outer * inner;
      HostTensor x = randomTensor(*::tile::parseDType(dtype), {rows, length}, 1),
                 y(x.dtype, x.shape);
      ::tile::Tensor xs = x.view(), ys = y.view();
      ASSERT_EQ(kernel.run({xs, ys}), "");
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t i = 0; i < length; ++i)
          ASSERT_EQ(y.at(r * length + i % inner * outer + i / inner), x.at(r * length + i));
    }
}

TEST(Axes, ReversedAxis) {
  for (int64_t inner : {1, 3, 4}) {
    LibraryKernel kernel("reverse_axis", "f32", config({{"outer", 1}, {"inner", inner}}));
    const int64_t rows = 31;
    HostTensor x = randomTensor(DType::f32, {rows, inner}, 1), y(x.dtype, x.shape);
    HostTensor z(x.dtype, {rows});
    ::tile::Tensor xs = x.view(), ys = y.view(), zs = z.view();
    ASSERT_EQ(kernel.run({xs, ys, zs}), "");
    for (int64_t r = 0; r < rows; ++r) {
      ASSERT_EQ(z.at(r), x.at(r * inner));
      for (int64_t i = 0; i < inner; ++i)
        ASSERT_EQ(y.at(r * inner + i), x.at(r * inner + inner - 1 - i));
    }
  }
}

TEST(Axes, QueriesAndHeadsPackedInRows) {
  for (auto [queries, heads] : {std::pair<int64_t, int64_t>{32, 4}, {8, 16}, {2, 64}, {3, 8}}) {
    const int64_t dim = 64, keys = 70, rows = queries + 1;
    LibraryKernel kernel(
        "packed_scores", "bf16",
        config({{"queries", queries}, {"heads", heads}, {"dim", dim}, {"keys", 64}}));
    HostTensor q = randomTensor(DType::bf16, {rows, heads, dim}, 1);
    HostTensor k = randomTensor(DType::bf16, {keys, dim}, 2);
    HostTensor w = randomTensor(DType::f32, {rows, heads}, 3), out(DType::f32, {rows, keys});
    ::tile::Tensor qs = q.view(), ks = k.view(), ws = w.view(), outs = out.view();
    ASSERT_EQ(kernel.run({qs, ks, ws, outs}), "");
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t n = 0; n < keys; ++n) {
        double expected = 0, size = 0;
        for (int64_t h = 0; h < heads; ++h) {
          double dot = 0;
          for (int64_t d = 0; d < dim; ++d)
            dot += q.at((i * heads + h) * dim + d) * k.at(n * dim + d);
          expected += std::max(dot, 0.0) * w.at(i * heads + h);
          size += std::fabs(dot * w.at(i * heads + h));
        }
        ASSERT_NEAR(out.at(i * keys + n), expected, 1e-5 * size + 1e-4);
      }
  }
}

TEST(Axes, PagesFillOneTile) {
  for (auto [rows, part, depth, pages] :
       {std::array<int64_t, 4>{128, 32, 64, 8}, {128, 64, 128, 4}, {48, 24, 48, 16}}) {
    LibraryKernel kernel(
        "paged_gemm", "bf16",
        config({{"rows", rows}, {"part", part}, {"depth", depth}, {"step", 16}, {"pages", pages}}));
    const int64_t page = rows / pages;
    HostTensor a = randomTensor(DType::bf16, {rows, depth}, 1);
    HostTensor b = randomTensor(DType::bf16, {pages, page, depth}, 2), c(DType::f32, {rows, rows});
    std::vector<int64_t> numbers(pages);
    for (int64_t i = 0; i < pages; ++i)
      numbers[i] = (5 * i + 3) % pages;
    HostTensor order = integerTensor({pages}, numbers);
    ::tile::Tensor as = a.view(), bs = b.view(), orders = order.view(), cs = c.view();
    ASSERT_EQ(kernel.run({as, bs, orders, cs}), "");
    expectProduct(
        c, rows, rows, depth, [&](int64_t i, int64_t l) { return a.at(i * depth + l); },
        [&](int64_t l, int64_t j) {
          return b.at((numbers[j / page] * page + j % page) * depth + l);
        });
  }
}

TEST(Axes, PartsOfBothOperands) {
  for (auto [rows, part, depth, step] : {std::array<int64_t, 4>{128, 16, 64, 16},
                                         {128, 32, 128, 32},
                                         {128, 64, 64, 16},
                                         {48, 24, 48, 16}}) {
    LibraryKernel kernel(
        "stepped_gemm", "bf16",
        config({{"rows", rows}, {"part", part}, {"depth", depth}, {"step", step}, {"pages", 1}}));
    HostTensor a = randomTensor(DType::bf16, {rows, depth}, 1);
    HostTensor b = randomTensor(DType::bf16, {depth, rows}, 2), c(DType::f32, {rows, rows});
    ::tile::Tensor as = a.view(), bs = b.view(), cs = c.view();
    ASSERT_EQ(kernel.run({as, bs, cs}), "");
    expectProduct(
        c, rows, rows, depth, [&](int64_t i, int64_t l) { return a.at(i * depth + l); },
        [&](int64_t l, int64_t j) { return b.at(l * rows + j); });
  }
}

TEST(Axes, PartsStartAnywhere) {
  for (const char *dtype : {"f32", "bf16"})
    for (auto [part, depth, step] :
         {std::array<int64_t, 3>{17, 32, 8}, {24, 36, 31}, {17, 128, 31}}) {
      const int64_t rows = 40;
      LibraryKernel kernel(
          "double_part", dtype,
          config({{"rows", rows}, {"part", part}, {"depth", depth}, {"step", step}, {"pages", 1}}));
      for (auto [row, column] :
           {std::pair<int64_t, int64_t>{0, 0}, {1, 1}, {rows - part, depth - step}}) {
        HostTensor x = randomTensor(*::tile::parseDType(dtype), {rows, depth}, 1),
                   y(x.dtype, x.shape);
        HostTensor z(x.dtype, {part, step});
        ::tile::Tensor xs = x.view(), ys = y.view(), zs = z.view();
        ASSERT_EQ(kernel.run({xs, ys, zs, ::tile::Arg::integer(DType::i32, row),
                              ::tile::Arg::integer(DType::i32, column)}),
                  "");
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < depth; ++j) {
            bool inside = i >= row && i < row + part && j >= column && j < column + step;
            ASSERT_EQ(y.at(i * depth + j), x.at(i * depth + j) * (inside ? 2 : 1))
                << i << ", " << j;
          }
      }
    }
}

TEST(Rotary, BothPairings) {
  for (const char *dtype : {"f32", "bf16"})
    for (bool interleaved : {false, true}) {
      const int64_t dim = 64, pairs = dim / 2, seq = 5, heads = 3, batch = 2;
      LibraryKernel kernel("rotary", dtype,
                           config({{"head_dim", dim}, {"interleaved", interleaved}}));
      HostTensor x = randomTensor(*::tile::parseDType(dtype), {batch, seq, heads, dim}, 1);
      HostTensor y(x.dtype, x.shape);
      HostTensor cosine = randomTensor(DType::f32, {seq, pairs}, 2);
      HostTensor sine = randomTensor(DType::f32, {seq, pairs}, 3);
      ::tile::Tensor xs = x.view(), cs = cosine.view(), ss = sine.view(), ys = y.view();
      ASSERT_EQ(kernel.run({xs, cs, ss, ys}), "");
      const double tolerance = x.dtype == DType::f32 ? 1e-6 : 8e-3;
      for (int64_t row = 0; row < batch * seq * heads; ++row)
        for (int64_t i = 0; i < pairs; ++i) {
          const int64_t a = row * dim + (interleaved ? 2 * i : i),
                        b = a + (interleaved ? 1 : pairs);
          const double c = cosine.at(row / heads % seq * pairs + i);
          const double s = sine.at(row / heads % seq * pairs + i);
          const double one = x.at(a) * c - x.at(b) * s, other = x.at(b) * c + x.at(a) * s;
          ASSERT_NEAR(y.at(a), one, tolerance * (1 + std::fabs(one)));
          ASSERT_NEAR(y.at(b), other, tolerance * (1 + std::fabs(other)));
        }
    }
}

TEST(PagedCopy, RowsOfPages) {
  for (int64_t page : {8, 64}) {
    const int64_t dim = 64, block = 64, rows = 150, batch = 2, pages = 30;
    LibraryKernel kernel("paged_copy", "bf16",
                         config({{"page", page}, {"dim", dim}, {"block", block}}));
    const int64_t entries = (rows + page - 1) / page;
    std::vector<int64_t> lengths{150, 9}, numbers(batch * entries);
    for (int64_t i = 0; i < batch * entries; ++i)
      numbers[i] = i % entries * page < lengths[i / entries] ? (7 * i + 3) % pages : 1 << 30;
    HostTensor pool = randomTensor(DType::bf16, {pages, page, dim}, 1);
    HostTensor table = integerTensor({batch, entries}, numbers),
               length = integerTensor({batch}, lengths);
    HostTensor y(DType::bf16, {batch, rows, dim});
    ::tile::Tensor ps = pool.view(), ts = table.view(), ls = length.view(), ys = y.view();
    ASSERT_EQ(kernel.run({ps, ts, ls, ys}), "");
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < lengths[b]; ++i)
        for (int64_t d = 0; d < dim; ++d)
          ASSERT_EQ(y.at((b * rows + i) * dim + d),
                    pool.at((numbers[b * entries + i / page] * page + i % page) * dim + d));
  }
}
} // namespace

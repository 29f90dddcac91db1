//===- RotaryTest.cpp - rotary and paged_copy against plain loops ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "Harness.h"

#include <cmath>
#include <cstring>

using namespace tile::test;
using tile::DType;

namespace {
class Rotary : public KernelTest {
protected:
  void check(int64_t batch, int64_t seq, int64_t heads, int64_t padding) {
    SCOPED_TRACE(std::to_string(batch) + " x " + std::to_string(seq) + " x " +
                 std::to_string(heads) + ", padding " + std::to_string(padding));
    const int64_t dim = variant().config("head_dim"), pairs = dim / 2;
    const std::vector<int64_t> shape{batch, seq, heads, dim};
    GuardedTensor x(variant().dtype(), shape, paddedStrides(shape, padding));
    GuardedTensor y(variant().dtype(), shape);
    GuardedTensor cosine(DType::f32, {seq, pairs}), sine(DType::f32, {seq, pairs});
    x.setValues(normal(random, x.elements(), 3));
    for (int64_t i = 0; i < seq * pairs; ++i) {
      double angle = normal(random, 1, 10)[0];
      cosine.set(i, std::cos(angle));
      sine.set(i, std::sin(angle));
    }
    EXPECT_OK(run(variant(), {x, cosine, sine, y}));
    const bool interleaved = variant().config("interleaved") != 0;
    for (int64_t row = 0; row < batch * seq * heads; ++row)
      for (int64_t i = 0; i < pairs; ++i) {
        const int64_t a = row * dim + (interleaved ? 2 * i : i), b = a + (interleaved ? 1 : pairs);
        const int64_t angle = row / heads % seq * pairs + i;
        const double c = cosine.get(angle), s = sine.get(angle);
        expectNear(y, a, x.get(a) * c, -x.get(b) * s);
        expectNear(y, b, x.get(b) * c, x.get(a) * s);
      }
  }

  /// A sum of two products in f32, rounded once.
  void expectNear(const GuardedTensor &y, int64_t element, double one, double other) {
    const double expected = one + other;
    const double error = 2e-7 * (std::fabs(one) + std::fabs(other));
    ASSERT_LE(std::fabs(y.get(element) - expected), error + 0.5 * unit(y.dtype(), expected))
        << "element " << element;
  }
};

TEST_P(Rotary, Lengths) {
  for (int64_t seq : {1, 4, 31, 33, 100})
    check(2, seq, 8, 0);
}

TEST_P(Rotary, HeadsThatFillNoBlock) {
  for (int64_t heads : {1, 3, 7, 9, 20})
    check(1, 5, heads, 0);
}

TEST_P(Rotary, PaddedRowsAndZeroExtents) {
  check(2, 9, 5, 16);
  check(0, 9, 5, 0);
  check(2, 0, 5, 0);
}
TILE_INSTANTIATE(Rotary, "rotary");

class PagedCopy : public KernelTest {
protected:
  void check(int64_t rows, std::vector<double> lengths) {
    SCOPED_TRACE(std::to_string(rows) + " rows");
    const int64_t page = variant().config("page"), dim = variant().config("dim"), pages = 50;
    const int64_t batch = lengths.size(), entries = (rows + page - 1) / page;
    GuardedTensor pool(variant().dtype(), {pages, page, dim}),
        y(variant().dtype(), {batch, rows, dim});
    GuardedTensor table(DType::i32, {batch, entries}), length(DType::i32, {batch});
    pool.setValues(normal(random, pool.elements()));
    length.setValues(lengths);
    // Entries behind the last page name none: they must not be followed.
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < entries; ++i)
        table.set(b * entries + i, i * page < lengths[b] ? pick(random, 0, pages - 1) : 1 << 30);
    EXPECT_OK(run(variant(), {pool, table, length, y}));
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t from =
            static_cast<int64_t>(table.get(b * entries + i / page)) * page + i % page;
        for (int64_t d = 0; d < dim; ++d) {
          const double found = y.get((b * rows + i) * dim + d);
          if (i >= lengths[b])
            ASSERT_TRUE(std::isnan(found)) << b << ", " << i << ", " << d;
          else
            ASSERT_EQ(found, pool.get(from * dim + d)) << b << ", " << i << ", " << d;
        }
      }
  }
};

TEST_P(PagedCopy, Lengths) {
  check(1, {1});
  check(128, {128, 0, 127});
  check(300, {300, 1, 16, 17, 128, 129, 256, 299});
  check(1000, {1000, 513});
}
TILE_INSTANTIATE(PagedCopy, "paged_copy");
} // namespace

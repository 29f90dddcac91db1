//===- CopiesTest.cpp - rows out of pages, rows of segments ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "LibraryCall.h"

#include "tile/Copies.h"

#include <cmath>

using namespace tile;
using namespace tile::test;

namespace {
struct Pages {
  GuardedTensor pool, table, lengths, y;

  Pages(DType dtype, int64_t page, int64_t rows, std::vector<double> lengthOf, int64_t entries = -1)
      : pool(dtype, {20, page, 128}),
        table(DType::i32, {static_cast<int64_t>(lengthOf.size()),
                           entries < 0 ? (rows + page - 1) / page : entries}),
        lengths(DType::i32, {static_cast<int64_t>(lengthOf.size())}),
        y(dtype, {static_cast<int64_t>(lengthOf.size()), rows, 128}) {
    lengths.setValues(lengthOf);
  }
  Status call() {
    return run({&pool, &table, &lengths}, {&y}, [&](Stream on) {
      return pagedCopy(on, view(pool), view(table), view(lengths), view(y));
    });
  }
};

void checkPages(DType dtype, int64_t page) {
  const int64_t rows = 300;
  SCOPED_TRACE(testing::Message() << name(dtype) << ", pages of " << page);
  Random random = seeded();
  Pages given(dtype, page, rows, {300, 1, 16, 17, 0, 129, 299});
  given.pool.setValues(normal(random, given.pool.elements()));
  const int64_t batch = given.lengths.elements(), entries = given.table.shape()[1];
  for (int64_t b = 0; b < batch; ++b) // behind the length nothing is followed; -1 gives 0
    for (int64_t i = 0; i < entries; ++i)
      given.table.set(b * entries + i, i * page < given.lengths.get(b)
                                           ? static_cast<double>(pick(random, i ? -1 : 0, 19))
                                           : 1 << 30);
  EXPECT_OK(given.call());
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < rows; ++i) {
      double entry = given.table.get(b * entries + i / page);
      for (int64_t d = 0; d < 128; ++d) {
        double found = given.y.get((b * rows + i) * 128 + d);
        auto from = (static_cast<int64_t>(entry) * page + i % page) * 128 + d;
        if (static_cast<double>(i) >= given.lengths.get(b))
          ASSERT_TRUE(std::isnan(found)) << b << ", " << i;
        else
          ASSERT_EQ(found, entry < 0 ? 0 : given.pool.get(from)) << b << ", " << i;
      }
    }
}

TEST(PagedCopy, EveryPageSize) {
  for (DType dtype : {DType::f32, DType::bf16})
    for (int64_t page : {16, 128})
      checkPages(dtype, page);
}

TEST(PagedCopy, Errors) {
  EXPECT_EQ(Pages(DType::bf16, 32, 64, {64}).call().message(),
            "paged_copy: no kernel of the library takes bf16 with pages of 32, dim 128; it has f32 "
            "with pages of 16, dim 128; f32 with pages of 128, dim 128; bf16 with pages of 16, dim "
            "128; bf16 with pages of 128, dim 128");
  EXPECT_EQ(
      Pages(DType::bf16, 16, 65, {64}, 4).call().message(),
      "paged_copy: argument 'table' dimension 1 (entries): expected at least 5, as 'y' has 65 "
      "rows in pages of 16, found 4");
  Pages given(DType::bf16, 16, 64, {64});
  given.y = GuardedTensor(DType::bf16, {2, 64, 128});
  EXPECT_EQ(given.call().message(),
            "paged_copy: argument 'y' dimension 0 (batch): expected 1 as in 'table', found 2");
  given.pool = GuardedTensor(DType::bf16, {20, 2048});
  EXPECT_EQ(given.call().message(),
            "paged_copy: argument 'pool': expected [pages, page, dim], found "
            "2 dimensions, [20, 2048]");
}

struct Segments {
  GuardedTensor x, source, target, y;

  Segments(DType dtype, int64_t rows, int64_t segments, int64_t targetRows, int64_t cols)
      : x(dtype, {rows, cols}), source(DType::i32, {segments + 1}), target(DType::i32, {segments}),
        y(dtype, {targetRows, cols}) {}

  Status call() {
    return run({&x, &source, &target}, {&y}, [&](Stream on) {
      return jaggedCopy(on, view(x), view(source), view(target), view(y));
    });
  }
};

void checkSegments(DType dtype, int64_t cols) {
  SCOPED_TRACE(testing::Message() << name(dtype) << ", " << cols << " columns");
  Random random = seeded();
  // Segments in reverse, three rows apart; the last one goes past the end of y.
  const std::vector<int64_t> lengths = {7, 0, 150, 1, 33};
  int64_t rows = 4, place = 3;
  for (int64_t length : lengths)
    rows += length;
  Segments given(dtype, rows + 2, static_cast<int64_t>(lengths.size()), rows + 9, cols);
  given.x.setValues(integers(random, given.x.elements(), -100, 100));
  given.y.setValues(std::vector<double>(given.y.elements(), 77));
  auto expected = given.y.values();
  given.source.set(0, 4);
  for (size_t s = 0; s < lengths.size(); ++s)
    given.source.set(s + 1, given.source.get(s) + static_cast<double>(lengths[s]));
  for (size_t s = lengths.size(); s-- > 0; place += lengths[s] + 3) {
    given.target.set(s, static_cast<double>(place));
    for (int64_t i = 0; i < lengths[s] * cols; ++i)
      if (int64_t to = place * cols + i; to < static_cast<int64_t>(expected.size()))
        expected[to] = given.x.get(static_cast<int64_t>(given.source.get(s)) * cols + i);
  }
  EXPECT_OK(given.call());
  EXPECT_EQ(given.y.values(), expected);
}

TEST(JaggedCopy, AlignedAndNot) {
  checkSegments(DType::f32, 33);
  checkSegments(DType::f32, 260);
  checkSegments(DType::bf16, 136);
}

TEST(JaggedCopy, Errors) {
  EXPECT_EQ(
      Segments(DType::bf16, 9, 2, 9, 12).call().message(),
      "jagged_copy: argument 'x' dimension 0 (rows): expected a stride that is a multiple of 8 "
      "elements (16 bytes), found 12");
  EXPECT_EQ(
      Segments(DType::f16, 9, 2, 9, 16).call().message(),
      "jagged_copy: no kernel of the library takes argument 'x' of f16; it has kernels for f32, "
      "bf16");
  Segments given(DType::f32, 9, 2, 9, 16);
  given.source = GuardedTensor(DType::i32, {2});
  EXPECT_EQ(given.call().message(), "jagged_copy: argument 'source' dimension 0 (segments + 1): "
                                    "expected 3 with segments = 2, found 2");
}
} // namespace

//===- GatherTest.cpp - rows and elements at index tiles ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All values are small integers, so results are exact. Indices repeat, are negative, and lie past
// the end, also by more than 32 bits.

#include "GatherReference.h"
#include "Harness.h"
#include "Reference.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace tile::test;
using tile::DType;

namespace {
constexpr double kPad = -7;

GuardedTensor tensorOf(DType dtype, std::vector<int64_t> shape, const std::vector<double> &values,
                       int64_t padding = 0) {
  GuardedTensor tensor(dtype, shape, paddedStrides(shape, padding));
  tensor.setValues(values);
  return tensor;
}

/// Indices of [0, extent), a third of them repeated or outside.
std::vector<double> indices(Random &random, int64_t count, int64_t extent, bool wide) {
  const double far[] = {-1,
                        static_cast<double>(extent),
                        static_cast<double>(std::numeric_limits<int32_t>::min()),
                        static_cast<double>(std::numeric_limits<int32_t>::max()),
                        wide ? 0x1p40 : -2,
                        wide ? -0x1p32 : -3};
  std::vector<double> result = integers(random, count, 0, std::max<int64_t>(extent - 1, 0));
  for (double &index : result) {
    int64_t kind = pick(random, 0, 17);
    if (kind < 6)
      index = far[kind];
  }
  return result;
}

std::vector<double> distinct(Random &random, int64_t count, int64_t extent) {
  std::vector<double> all(std::max(count, extent));
  std::iota(all.begin(), all.end(), 0.0); // those past the extent are dropped
  std::shuffle(all.begin(), all.end(), random);
  all.resize(count);
  return all;
}

struct RowShape {
  int64_t rows, count, cols, padding;
};
const RowShape rowShapes[] = {{7, 33, 1, 0},  {260, 31, 33, 3}, {100, 100, 64, 0},
                              {1, 1, 260, 8}, {31, 65, 31, 0},  {50, 40, 100, 4},
                              {0, 5, 40, 0},  {5, 0, 40, 0},    {5, 5, 0, 0}};

class GatherRows : public KernelTest {};

TEST_P(GatherRows, RepeatedNegativeAndPastTheEnd) {
  bool wide = variant().config("wide");
  double pad = static_cast<double>(variant().config("pad"));
  for (RowShape shape : rowShapes) {
    int64_t cols = variant().config("cols") ? variant().config("cols") : shape.cols;
    int64_t padding = variant().config("cols") ? shape.padding / 4 * 16 : shape.padding;
    SCOPED_TRACE(testing::Message() << shape.rows << " rows, " << shape.count << " of " << cols);
    const int64_t batches = 2, yBatches = 3;
    auto x = tensorOf(variant().dtype(), {batches, shape.rows, cols},
                      integers(random, batches * shape.rows * cols, -60, 60), padding);
    auto keep = tensorOf(DType::i32, {shape.count}, integers(random, shape.count, 0, 3));
    auto index = tensorOf(wide ? DType::i64 : DType::i32, {shape.count},
                          indices(random, shape.count, shape.rows, wide));
    GuardedTensor y(variant().dtype(), {yBatches, shape.count, cols});
    EXPECT_OK(run(variant(), {x, keep, y, index}));
    std::vector<double> all = x.values(), expected;
    for (int64_t batch = 0; batch < yBatches; ++batch) {
      auto first = all.begin() + std::min(batch, batches) * shape.rows * cols;
      std::vector<double> mine(first, batch < batches ? first + shape.rows * cols : first);
      for (double value : gatherRows(mine, cols, kept(index.values(), keep.values()), pad))
        expected.push_back(value);
    }
    EXPECT_EQ(y.values(), expected);
  }
}
TILE_INSTANTIATE(GatherRows, "gather_rows");

class GatherHeads : public KernelTest {};

TEST_P(GatherHeads, AllHeadsOfARow) {
  for (int64_t heads : {1, 3, 5}) {
    const int64_t rows = 11, count = 21, row = heads * 40;
    auto x =
        tensorOf(variant().dtype(), {rows, heads, 40}, integers(random, rows * row, -60, 60), 8);
    auto index = tensorOf(DType::i32, {count}, indices(random, count, rows, false));
    GuardedTensor y(variant().dtype(), {count, heads, 40});
    EXPECT_OK(run(variant(), {x, index, y}));
    EXPECT_EQ(y.values(), gatherRows(x.values(), row, index.values(), 0));
  }
}
TILE_INSTANTIATE(GatherHeads, "gather_heads");

class GatherElements : public KernelTest {};

TEST_P(GatherElements, EachFromItsOwnPlace) {
  int64_t axis = variant().config("axis");
  for (auto [rows, cols, yRows, yCols] :
       {std::array<int64_t, 4>{7, 33, 31, 33}, {260, 5, 3, 100}, {1, 1, 17, 1}, {20, 40, 20, 50}}) {
    auto x = tensorOf(variant().dtype(), {rows, cols}, integers(random, rows * cols, -60, 60), 1);
    auto index = tensorOf(DType::i32, {yRows, yCols},
                          indices(random, yRows * yCols, axis == 0 ? rows : cols, false));
    GuardedTensor y(variant().dtype(), {yRows, yCols});
    EXPECT_OK(run(variant(), {x, index, y}));
    std::vector<double> places = index.values();
    std::replace(places.begin(), places.end(), 5.0, -1.0);
    EXPECT_EQ(y.values(),
              gatherElements({x.values(), rows, cols}, axis, {places, yRows, yCols}, kPad));
  }
}
TILE_INSTANTIATE(GatherElements, "gather_elements");

class ScatterRows : public KernelTest {};

TEST_P(ScatterRows, OthersStay) {
  bool wide = variant().config("wide");
  for (RowShape shape : rowShapes) {
    int64_t cols = variant().config("cols") ? variant().config("cols") : shape.cols;
    int64_t padding = variant().config("cols") ? shape.padding / 4 * 16 : shape.padding;
    SCOPED_TRACE(testing::Message() << shape.rows << " rows, " << shape.count << " of " << cols);
    auto x = tensorOf(variant().dtype(), {shape.count, cols},
                      integers(random, shape.count * cols, -60, 60), padding);
    auto keep = tensorOf(DType::i32, {shape.count}, integers(random, shape.count, 0, 3));
    auto index = tensorOf(wide ? DType::i64 : DType::i32, {shape.count},
                          distinct(random, shape.count, shape.rows));
    if (shape.count > 2)
      index.set(1, -1), index.set(2, wide ? 0x1p32 : 0x1p30);
    auto y = tensorOf(variant().dtype(), {shape.rows, cols},
                      integers(random, shape.rows * cols, -60, 60), padding);
    std::vector<double> expected = y.values();
    scatterRows(expected, cols, kept(index.values(), keep.values()), x.values());
    EXPECT_OK(run(variant(), {x, keep, y, index}));
    EXPECT_EQ(y.values(), expected);
  }
}
TILE_INSTANTIATE(ScatterRows, "scatter_rows");

class ScatterElements : public KernelTest {};

TEST_P(ScatterElements, EachToItsOwnPlace) {
  int64_t axis = variant().config("axis");
  for (auto [rows, cols, xRows, xCols] :
       {std::array<int64_t, 4>{40, 33, 31, 33}, {260, 5, 3, 100}, {20, 70, 20, 50}}) {
    auto x = tensorOf(variant().dtype(), {xRows, xCols}, integers(random, xRows * xCols, -60, 60));
    GuardedTensor index(DType::i32, {xRows, xCols});
    // Distinct along the axis, so that no two elements meet.
    const int64_t lines = axis == 0 ? xCols : xRows, length = axis == 0 ? xRows : xCols;
    for (int64_t line = 0; line < lines; ++line) {
      std::vector<double> places = distinct(random, length, axis == 0 ? rows : cols);
      for (int64_t i = 0; i < length; ++i)
        index.set(axis == 0 ? i * xCols + line : line * xCols + i, i % 7 == 3 ? -4 : places[i]);
    }
    auto y = tensorOf(variant().dtype(), {rows, cols}, integers(random, rows * cols, -60, 60), 3);
    Matrix expected{y.values(), rows, cols};
    scatterElements(expected, axis, {index.values(), xRows, xCols}, x.values());
    EXPECT_OK(run(variant(), {x, index, y}));
    EXPECT_EQ(y.values(), expected.values);
  }
}
TILE_INSTANTIATE(ScatterElements, "scatter_elements");

class ScatterProduct : public KernelTest {};

TEST_P(ScatterProduct, FromAccumulators) {
  for (int64_t rows : {1, 64, 200}) {
    auto a = tensorOf(variant().dtype(), {64, 64}, integers(random, 64 * 64, -1, 1));
    auto b = tensorOf(variant().dtype(), {64, 64}, integers(random, 64 * 64, -1, 1));
    auto index = tensorOf(DType::i32, {64}, distinct(random, 64, rows));
    index.set(5, -100);
    auto c = tensorOf(variant().dtype(), {rows, 64}, integers(random, rows * 64, -9, 9), 8);
    std::vector<double> expected = c.values();
    scatterRows(expected, 64, index.values(), matmul(a.values(), b.values(), 64, 64, 64, false));
    EXPECT_OK(run(variant(), {a, b, index, c}));
    EXPECT_EQ(c.values(), expected);
  }
}
TILE_INSTANTIATE(ScatterProduct, "scatter_product");

class SharedTable : public KernelTest {};

TEST_P(SharedTable, ReadAndPartlyWritten) {
  auto x = tensorOf(variant().dtype(), {24, 40}, integers(random, 24 * 40, -60, 60));
  auto from = tensorOf(DType::i32, {32}, indices(random, 32, 24, false));
  auto to = tensorOf(DType::i64, {32}, distinct(random, 32, 24));
  GuardedTensor y(variant().dtype(), {32, 40}), z(variant().dtype(), {24, 40});
  EXPECT_OK(run(variant(), {x, from, to, y, z}));
  std::vector<double> picked = gatherRows(x.values(), 40, from.values(), kPad);
  std::vector<double> table = x.values(), places = to.values();
  std::replace(places.begin(), places.end(), 3.0, -1.0);
  scatterRows(table, 40, places, picked);
  EXPECT_EQ(y.values(), picked);
  EXPECT_EQ(z.values(), table);
}
TILE_INSTANTIATE(SharedTable, "shared_table");

class PermuteLine : public KernelTest {};

TEST_P(PermuteLine, StepAfterStep) {
  for (int64_t steps : {0, 1, 2, 9}) {
    auto line = tensorOf(variant().dtype(), {200}, integers(random, 200, -99, 99));
    auto from = tensorOf(DType::i32, {200}, distinct(random, 200, 200));
    auto to = tensorOf(DType::i32, {200}, distinct(random, 200, 200));
    to.set(7, -1);
    std::vector<double> expected = line.values();
    for (int64_t step = 0; step < steps; ++step)
      scatterRows(expected, 1, to.values(), gatherRows(expected, 1, from.values(), 0));
    EXPECT_OK(run(variant(), {line, from, to, tile::Arg::integer(DType::i32, steps)}));
    EXPECT_EQ(line.values(), expected);
  }
}
TILE_INSTANTIATE(PermuteLine, "permute_line");
} // namespace

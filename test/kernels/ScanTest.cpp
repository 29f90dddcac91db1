//===- ScanTest.cpp - prefixes and positions of maxima --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "Harness.h"

#include <cmath>
#include <limits>

using namespace tile::test;
using tile::DType;

namespace {
const double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

double lowest(DType dtype) {
  if (dtype == DType::i32)
    return std::numeric_limits<int32_t>::min();
  return dtype == DType::i64 ? static_cast<double>(std::numeric_limits<int64_t>::min()) : -infinity;
}

class ScanTile : public KernelTest {
protected:
  bool isMax() const { return variant().config("max"); }
  double combine(double a, double b) const { return isMax() ? std::fmax(a, b) : a + b; }

  /// Calls `visit` with the offsets of each line's elements, in the order of the scan.
  template <class Visit> void forEachLine(int64_t tiles, Visit visit) const {
    int64_t rows = variant().config("rows"), cols = variant().config("cols");
    bool alongCols = variant().config("axis");
    int64_t lines = alongCols ? rows : cols, length = alongCols ? cols : rows;
    for (int64_t line = 0; line < tiles * lines; ++line) {
      std::vector<int64_t> offsets(length);
      for (int64_t i = 0; i < length; ++i)
        offsets[i] = line / lines * rows * cols +
                     (alongCols ? line % lines * cols + i : i * cols + line % lines);
      if (variant().config("reverse"))
        std::reverse(offsets.begin(), offsets.end());
      visit(line, offsets);
    }
  }

  void check(const std::vector<double> &values, int64_t tiles) {
    int64_t rows = variant().config("rows"), cols = variant().config("cols");
    int64_t lines = variant().config("axis") ? rows : cols;
    DType dtype = variant().dtype();
    GuardedTensor x(dtype, {tiles, rows, cols}), y(dtype, {tiles, rows, cols});
    GuardedTensor total(dtype, {tiles, lines});
    x.setValues(values);
    EXPECT_OK(run(variant(), {x, y, total}));
    auto in = x.values();
    std::vector<double> expected(in.size()), sums(tiles * lines), bounds(in.size());
    forEachLine(tiles, [&](int64_t line, const std::vector<int64_t> &offsets) {
      double sum = isMax() ? lowest(dtype) : 0, size = 0;
      for (int64_t offset : offsets) {
        double before = sum;
        sum = combine(sum, in[offset]);
        size += std::abs(in[offset]);
        expected[offset] = variant().config("exclusive") ? before : sum;
        // Every partial sum is rounded.
        bounds[offset] = dtype == DType::f32 && !isMax() ? 32 * unit(DType::f32, size) : 0;
      }
      sums[line] = sum;
    });
    EXPECT_OK(checkElements(y.values(), expected, [&](size_t i) { return bounds[i]; }));
    if (dtype != DType::f32)
      EXPECT_EQ(total.values(), sums);
  }
};

TEST_P(ScanTile, Integers) {
  int64_t count = 3 * variant().config("rows") * variant().config("cols");
  check(integers(random, count, -1000, 1000), 3);
}

TEST_P(ScanTile, Reals) {
  if (variant().dtype() != DType::f32)
    return;
  int64_t count = 3 * variant().config("rows") * variant().config("cols");
  auto x = normal(random, count);
  if (isMax()) // passed over, also at the start of a line
    for (int64_t i = 0; i < count; i += pick(random, 1, 7))
      x[i] = nan;
  check(x, 3);
}
TILE_INSTANTIATE(ScanTile, "scan_tile");

class PackPositions : public KernelTest {};

TEST_P(PackPositions, EveryShareOfChosen) {
  const int64_t length = variant().config("length");
  // None, all, half, few, only the first, only the last.
  const int64_t rows = 6;
  GuardedTensor x(variant().dtype(), {rows, length}), y(DType::i32, {rows, length});
  GuardedTensor count(DType::i32, {rows});
  std::vector<double> expected(rows * length, -5), counts(rows, 0);
  y.setValues(expected);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < length; ++i) {
      bool chosen = row == 1 || (row == 2 && pick(random, 0, 1)) ||
                    (row == 3 && pick(random, 0, 99) == 0) || (row == 4 && i == 0) ||
                    (row == 5 && i == length - 1);
      x.set(row * length + i, chosen ? 3 : -3);
      if (chosen)
        expected[row * length + static_cast<int64_t>(counts[row]++)] = static_cast<double>(i);
    }
  EXPECT_OK(run(variant(), {x, y, count}));
  EXPECT_EQ(y.values(), expected);
  EXPECT_EQ(count.values(), counts);
}
TILE_INSTANTIATE(PackPositions, "pack_positions");

class ArgMaxTile : public KernelTest {
protected:
  void check(const std::vector<double> &values, int64_t tiles) {
    int64_t rows = variant().config("rows"), cols = variant().config("cols");
    bool alongCols = variant().config("axis");
    int64_t lines = alongCols ? rows : cols, length = alongCols ? cols : rows;
    GuardedTensor x(variant().dtype(), {tiles, rows, cols}), y(DType::i32, {tiles, lines});
    x.setValues(values);
    EXPECT_OK(run(variant(), {x, y}));
    std::vector<double> expected(tiles * lines, 0);
    for (int64_t line = 0; line < tiles * lines; ++line) {
      double best = nan;
      for (int64_t i = 0; i < length; ++i) {
        double element = x.get(line / lines * rows * cols +
                               (alongCols ? line % lines * cols + i : i * cols + line % lines));
        if (std::isnan(element) || best >= element)
          continue;
        best = element;
        expected[line] = static_cast<double>(i);
      }
    }
    EXPECT_EQ(y.values(), expected);
  }
};

TEST_P(ArgMaxTile, ManyEqual) {
  int64_t count = 4 * variant().config("rows") * variant().config("cols");
  check(integers(random, count, -2, 2), 4);
  check(integers(random, count, -100, 100), 4);
  check(std::vector<double>(count, lowest(variant().dtype())), 4);
}

TEST_P(ArgMaxTile, NotANumber) {
  if (variant().dtype() != DType::f32)
    return;
  int64_t count = 4 * variant().config("rows") * variant().config("cols");
  auto x = normal(random, count);
  for (int64_t i = 0; i < count; ++i)
    if (i < count / 4 || pick(random, 0, 3) == 0)
      x[i] = nan;
  check(x, 4);
}
TILE_INSTANTIATE(ArgMaxTile, "argmax_tile");
} // namespace

//===- SelectTest.cpp - top-k, block lists, histograms --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

using namespace tile::test;
using tile::DType;

namespace {
const double infinity = std::numeric_limits<double>::infinity();

/// Floats as integers in their order: -0 below +0, every NaN the largest.
int32_t orderedKey(double value) {
  auto real = static_cast<float>(value);
  if (std::isnan(real))
    return std::numeric_limits<int32_t>::max();
  auto bits = std::bit_cast<int32_t>(real);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

class TopK : public KernelTest {
protected:
  /// `lengths`: one per row.
  void check(int64_t cols, int64_t k, const std::vector<double> &values,
             const std::vector<double> &lengths) {
    SCOPED_TRACE(std::to_string(cols) + " columns, k = " + std::to_string(k));
    auto rows = static_cast<int64_t>(lengths.size());
    GuardedTensor x(DType::f32, {rows, cols}, paddedStrides({rows, cols}, cols % 3));
    GuardedTensor length(DType::i32, {rows}), position(DType::i32, {rows, k});
    GuardedTensor value(DType::f32, {rows, k});
    x.setValues(values);
    length.setValues(lengths);
    EXPECT_OK(run(variant(), {x, length, position, value}));
    for (int64_t row = 0; row < rows; ++row)
      checkRow(x, row, std::clamp<int64_t>(static_cast<int64_t>(lengths[row]), 0, cols), k,
               position, value);
  }

private:
  static void checkRow(const GuardedTensor &x, int64_t row, int64_t length, int64_t k,
                       const GuardedTensor &position, const GuardedTensor &value) {
    const int64_t cols = x.shape()[1];
    std::vector<int64_t> order(length);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      auto left = orderedKey(x.get(row * cols + a)), right = orderedKey(x.get(row * cols + b));
      return left != right ? left > right : a < b;
    });
    order.resize(std::min(k, length));
    std::sort(order.begin(), order.end());
    int64_t wrong = 0;
    for (int64_t i = 0; i < k; ++i) {
      bool there = i < static_cast<int64_t>(order.size());
      double expected = there ? x.get(row * cols + order[i]) : -infinity;
      double found = value.get(row * k + i);
      wrong += position.get(row * k + i) != (there ? static_cast<double>(order[i]) : -1.0);
      wrong += std::isnan(expected)
                   ? !std::isnan(found)
                   : found != expected || std::signbit(found) != std::signbit(expected);
    }
    EXPECT_EQ(wrong, 0) << "row " << row;
  }
};

TEST_P(TopK, RandomRows) {
  const int64_t most = variant().config("most"), capacity = variant().config("capacity");
  for (int64_t cols : {int64_t(1), int64_t(100), most, capacity, capacity + 1, 3 * capacity + 17})
    for (int64_t k : {int64_t(1), int64_t(33), most})
      check(cols, k, normal(random, 3 * cols), {static_cast<double>(cols), cols / 2.0, cols - 1.0});
}

TEST_P(TopK, LengthsOfEveryKind) {
  const int64_t most = variant().config("most"), cols = 2 * variant().config("capacity");
  check(cols, most, normal(random, 7 * cols),
        {0, -5, 1, static_cast<double>(most) - 1, static_cast<double>(most),
         static_cast<double>(most) + 1, 1e9});
}

// Rows in the worst order, rows of equal elements, of few different ones.
TEST_P(TopK, OrderedAndEqualRows) {
  const int64_t cols = 4 * variant().config("capacity") + 5, k = variant().config("most");
  std::vector<double> x(6 * cols);
  for (int64_t i = 0; i < cols; ++i) {
    x[i] = static_cast<double>(i);
    x[cols + i] = static_cast<double>(-i);
    x[2 * cols + i] = 1;
    x[3 * cols + i] = static_cast<double>(pick(random, 0, 1));
    x[4 * cols + i] = pick(random, 0, 99) ? -infinity : static_cast<double>(pick(random, -3, 3));
    x[5 * cols + i] = static_cast<double>(i / 1000);
  }
  check(cols, k, x, std::vector<double>(6, static_cast<double>(cols)));
  check(cols, 1, x, std::vector<double>(6, static_cast<double>(cols)));
}

TEST_P(TopK, SpecialValues) {
  const int64_t cols = 2 * variant().config("capacity") + 1, k = variant().config("most");
  const std::vector<double> special = {0.0,
                                       -0.0,
                                       infinity,
                                       -infinity,
                                       std::numeric_limits<double>::quiet_NaN(),
                                       -std::numeric_limits<double>::quiet_NaN(),
                                       1e-45,
                                       -1e-45,
                                       3.4e38,
                                       -3.4e38};
  std::vector<double> x(2 * cols);
  for (double &value : x)
    value = special[pick(random, 0, static_cast<int64_t>(special.size()) - 1)];
  for (int64_t i = cols; i < 2 * cols; ++i) // few NaN: the numbers below them count
    if (std::isnan(x[i]) && i % 50)
      x[i] = -1;
  check(cols, k, x, {static_cast<double>(cols), static_cast<double>(cols)});
}
TILE_INSTANTIATE(TopK, "top_k");

class BlockLists : public KernelTest {};

TEST_P(BlockLists, EveryShare) {
  const int64_t most = variant().config("most");
  for (int64_t kBlocks : {int64_t(1), int64_t(33), most - 1, most})
    for (int64_t qBlocks : {1, 31}) {
      const int64_t batch = 2, heads = 3, rows = batch * heads * qBlocks;
      DType dtype = variant().dtype();
      GuardedTensor mask(dtype, {batch, heads, qBlocks, kBlocks},
                         paddedStrides({batch, heads, qBlocks, kBlocks}, 1));
      GuardedTensor count(DType::i32, {batch, heads, qBlocks});
      GuardedTensor block(DType::i32, {batch, heads, qBlocks, kBlocks});
      std::vector<double> counts(rows, 0), blocks(rows * kBlocks, -1);
      for (int64_t row = 0; row < rows; ++row) {
        int64_t share = row % 5 == 0 ? 0 : row % 5 == 1 ? 100 : pick(random, 0, 100);
        for (int64_t i = 0; i < kBlocks; ++i) {
          bool isSet = pick(random, 0, 99) < share;
          // Any number but 0 is true.
          double set = dtype == DType::i1 ? 1 : static_cast<double>(pick(random, 0, 1) ? -1 : 64);
          mask.set(row * kBlocks + i, isSet ? set : 0);
          if (isSet)
            blocks[row * kBlocks + static_cast<int64_t>(counts[row]++)] = static_cast<double>(i);
        }
      }
      EXPECT_OK(run(variant(), {mask, count, block}));
      EXPECT_EQ(count.values(), counts);
      EXPECT_EQ(block.values(), blocks);
    }
}
TILE_INSTANTIATE(BlockLists, "block_lists");

class Histogram : public KernelTest {};

TEST_P(Histogram, AddsToWhatIsThere) {
  const int64_t bins = variant().config("bins");
  // Of the longest each thread block reads several blocks.
  const int64_t longest = variant().config("block") * variant().config("ctas") + 5001;
  for (int64_t size : cases<int64_t>({0, 1, 31, 1000, 200000, longest}, {0, 1, 31, 1000, 70000})) {
    GuardedTensor x(variant().dtype(), {size}), count(DType::i32, {bins});
    // Also numbers that belong to no bin; half of them equal.
    int64_t high = variant().dtype() == DType::i8 ? 127 : bins + 10;
    auto values = integers(random, size, -10, high);
    for (size_t i = 0; i < values.size(); i += 2)
      values[i] = 3;
    x.setValues(values);
    auto expected = integers(random, bins, 0, 5);
    count.setValues(expected);
    for (double value : values)
      if (value >= 0 && value < static_cast<double>(bins))
        expected[static_cast<size_t>(value)] += 1;
    EXPECT_OK(run(variant(), {x, count}));
    EXPECT_EQ(count.values(), expected);
  }
}
TILE_INSTANTIATE(Histogram, "histogram");
} // namespace

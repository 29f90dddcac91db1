//===- AtomicTest.cpp - atomic operations, fences, elements of tiles ------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace tile::test;
using tile::DType;

namespace {
enum Kind { add, max, min, exchange, bitAnd, bitOr };

double apply(int64_t kind, double old, double value) {
  auto bits = [](double x) { return static_cast<int64_t>(x); };
  switch (kind) {
  case add:
    return old + value;
  case max:
    return std::fmax(old, value);
  case min:
    return std::fmin(old, value);
  case exchange:
    return value;
  case bitAnd:
    return static_cast<double>(bits(old) & bits(value));
  default:
    return static_cast<double>(bits(old) | bits(value));
  }
}

GuardedTensor tensorOf(DType dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  GuardedTensor tensor(dtype, shape);
  tensor.setValues(values);
  return tensor;
}

class AtomicWindow : public KernelTest {
protected:
  void check(int64_t rows, int64_t cols, const std::vector<double> &values,
             const std::vector<double> &before) {
    DType dtype = variant().dtype();
    GuardedTensor x(dtype, {rows, cols}, paddedStrides({rows, cols}, 3)), old(dtype, {rows, cols});
    GuardedTensor y(dtype, {rows, cols}, paddedStrides({rows, cols}, 5));
    x.setValues(values);
    y.setValues(before);
    auto there = y.values(), expected = there;
    EXPECT_OK(run(variant(), {x, y, old}));
    for (int64_t i = 0; i < x.elements(); ++i)
      expected[i] = apply(variant().config("kind"), there[i], x.get(i));
    EXPECT_EQ(y.values(), expected);
    EXPECT_EQ(old.values(), there);
  }
};

TEST_P(AtomicWindow, Extents) {
  for (int64_t rows : {1, 15, 16, 31, 33})
    for (int64_t cols : {1, 24, 31, 100, 260})
      check(rows, cols, integers(random, rows * cols, -50, 50),
            integers(random, rows * cols, -50, 50));
}

// A NaN leaves maxima and minima alone; signs of all pairs.
TEST_P(AtomicWindow, FloatsOfEverySign) {
  int64_t kind = variant().config("kind");
  if (variant().dtype() != DType::f32 || (kind != max && kind != min))
    return;
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers = {-infinity, -3e38, -2, -1,   -1e-30,  0,
                                       1e-30,     1,     2,  3e38, infinity};
  std::vector<double> x, y;
  for (double a : numbers)
    for (double b : numbers) {
      x.push_back(a);
      y.push_back(b);
    }
  for (double b : numbers) {
    x.push_back(std::numeric_limits<double>::quiet_NaN());
    y.push_back(b);
    x.push_back(-std::numeric_limits<double>::quiet_NaN());
    y.push_back(b);
  }
  check(1, static_cast<int64_t>(x.size()), x, y);
}
TILE_INSTANTIATE(AtomicWindow, "atomic_window");

class AtomicShared : public KernelTest {};

TEST_P(AtomicShared, EqualIndicesCombine) {
  const int64_t tiles = 5, n = 100, s = 60;
  int64_t kind = variant().config("kind");
  DType dtype = variant().dtype();
  auto x = tensorOf(dtype, {tiles, n}, integers(random, tiles * n, -50, 50));
  auto keep = tensorOf(DType::i1, {tiles, n}, integers(random, tiles * n, 0, 1));
  auto before = integers(random, tiles * s, -50, 50);
  std::vector<double> places = integers(random, tiles * n, 0, s - 1);
  if (kind == exchange) // each place once, or who was last is open
    for (int64_t tile = 0; tile < tiles; ++tile)
      for (int64_t i = 0; i < n; ++i) {
        places[tile * n + i] = static_cast<double>(i % s);
        if (i >= s)
          keep.set(tile * n + i, 0);
      }
  for (int64_t i = 0; i < tiles * n; ++i)
    if (keep.get(i) == 0 && pick(random, 0, 1))
      places[i] = pick(random, 0, 1) ? -1 : 1e6; // masked, so it may be anywhere
  auto place = tensorOf(DType::i32, {tiles, n}, places), y = tensorOf(dtype, {tiles, s}, before);
  GuardedTensor old(dtype, {tiles, n});
  EXPECT_OK(run(variant(), {x, place, keep, y, old}));
  auto expected = before;
  std::vector<int64_t> uses(tiles * s, 0);
  for (int64_t i = 0; i < tiles * n; ++i) {
    if (keep.get(i) == 0) {
      EXPECT_EQ(old.get(i), 0) << i;
      continue;
    }
    int64_t at = i / n * s + static_cast<int64_t>(places[i]);
    expected[at] = apply(kind, expected[at], x.get(i));
    ++uses[at];
  }
  EXPECT_EQ(y.values(), expected);
  for (int64_t i = 0; i < tiles * n; ++i) {
    int64_t at = i / n * s + static_cast<int64_t>(places[i]);
    if (keep.get(i) != 0 && uses[at] == 1)
      EXPECT_EQ(old.get(i), before[at]) << i;
  }
}
TILE_INSTANTIATE(AtomicShared, "atomic_shared");

class ColumnSums : public KernelTest {};

TEST_P(ColumnSums, OncePerElement) {
  for (int64_t rows : {1, 31, 32, 33, 1000}) {
    auto x = tensorOf(DType::i32, {rows, 40}, integers(random, rows * 40, 1, 9));
    auto y = tensorOf(DType::i32, {40}, std::vector<double>(40, 0));
    const int64_t ctas = (rows + 31) / 32;
    GuardedTensor rank(DType::i32, {ctas, 40});
    EXPECT_OK(run(variant(), {x, y, rank}));
    std::vector<double> expected(40, 0);
    for (int64_t i = 0; i < rows * 40; ++i)
      expected[i % 40] += x.get(i);
    EXPECT_EQ(y.values(), expected);
    EXPECT_EQ(rank.values(), std::vector<double>(ctas * 40, 1));
  }
}
TILE_INSTANTIATE(ColumnSums, "column_sums");

class Append : public KernelTest {};

TEST_P(Append, EveryPlaceOnce) {
  for (int64_t size : {1, 299, 300, 301, 5000}) {
    auto x = tensorOf(DType::i32, {size}, integers(random, size, -1000, 1000));
    auto list = tensorOf(DType::i32, {size}, std::vector<double>(size, -7));
    auto count = tensorOf(DType::i32, {1}, {0});
    EXPECT_OK(run(variant(), {x, list, count}));
    auto expected = x.values(), found = list.values();
    std::erase_if(expected, [](double value) { return value <= 0; });
    ASSERT_EQ(count.get(0), static_cast<double>(expected.size()));
    EXPECT_EQ(
        std::vector<double>(found.begin() + static_cast<int64_t>(expected.size()), found.end()),
        std::vector<double>(size - static_cast<int64_t>(expected.size()), -7));
    found.resize(expected.size());
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
}
TILE_INSTANTIATE(Append, "append");

class AtomicElements : public KernelTest {};

TEST_P(AtomicElements, OncePerCta) {
  for (int64_t ctas : {1, 2, 29}) {
    DType dtype = variant().dtype();
    auto y = tensorOf(dtype, {5}, {0, -100, 0, 0, 77});
    GuardedTensor old(dtype, {ctas, 4});
    EXPECT_OK(run(variant(), {y, old}));
    std::vector<double> row = y.values();
    EXPECT_EQ(row[0], ctas);
    EXPECT_EQ(row[1], ctas - 1);
    EXPECT_EQ(row[2], static_cast<double>((int64_t{1} << ctas) - 1));
    EXPECT_EQ(row[4], 77);
    std::set<double> tickets;
    int64_t winners = 0;
    for (int64_t cta = 0; cta < ctas; ++cta) {
      double ticket = old.get(cta * 4), before = old.get(cta * 4 + 1);
      tickets.insert(ticket);
      winners += before == 0;
      if (before == 0)
        EXPECT_EQ(row[3], ticket + 1);
      else
        EXPECT_EQ(before, row[3]);
      EXPECT_EQ(old.get(cta * 4 + 2), 5 + ticket);
      EXPECT_EQ(old.get(cta * 4 + 3), 7); // 0 outside, 7 untouched, 0 exchanged
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(static_cast<int64_t>(tickets.size()), ctas);
  }
}
TILE_INSTANTIATE(AtomicElements, "atomic_elements");

class ReadThenAdd : public KernelTest {};

TEST_P(ReadThenAdd, InEveryIteration) {
  for (int64_t steps : {0, 1, 2, 4, 9}) {
    auto counter = tensorOf(DType::i32, {1}, {3});
    auto row = tensorOf(DType::i32, {64}, integers(random, 64, -99, 99));
    GuardedTensor out(DType::i32, {steps}), rows(DType::i32, {steps, 64}),
        copies(DType::i32, {steps, 64});
    auto now = row.values();
    std::vector<double> counted, expected;
    for (int64_t i = 0; i < steps; ++i) {
      counted.push_back(static_cast<double>(3 + i));
      expected.insert(expected.end(), now.begin(), now.end());
      for (double &element : now)
        element += static_cast<double>(i + 1);
    }
    EXPECT_OK(run(variant(), {counter, row, out, rows, copies}));
    EXPECT_EQ(out.values(), counted);
    EXPECT_EQ(rows.values(), expected);
    EXPECT_EQ(copies.values(), expected);
    EXPECT_EQ(row.values(), now);
    EXPECT_EQ(counter.get(0), static_cast<double>(3 + steps));
  }
}
TILE_INSTANTIATE(ReadThenAdd, "read_then_add");
} // namespace

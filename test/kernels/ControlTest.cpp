//===- ControlTest.cpp - loops with a condition, orders, work items -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of ops/Control.cpp.

#include "Harness.h"
#include "Reference.h"

#include <algorithm>
#include <numeric>

using namespace tile::test;
using tile::DType;

namespace {
GuardedTensor tensorOf(DType dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  GuardedTensor tensor(dtype, shape);
  tensor.setValues(values);
  return tensor;
}

class Collatz : public KernelTest {};

TEST_P(Collatz, EachBlockHasItsOwnNumberOfSteps) {
  std::vector<double> starts{1, 2, 3, 6, 7, 9, 27, 0, -5, 97};
  auto count = static_cast<int64_t>(starts.size());
  auto x = tensorOf(DType::i32, {count}, starts);
  GuardedTensor steps(DType::i64, {count}), sums(DType::i32, {count, 40});
  EXPECT_OK(run(variant(), {x, steps, sums}));
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = static_cast<int64_t>(starts[i]), expected = 0, sum = 0;
    for (; value > 1; ++expected) {
      sum += value;
      value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    }
    EXPECT_EQ(steps.get(i), expected) << starts[i];
    for (int64_t c = 0; c < 40; ++c)
      ASSERT_EQ(sums.get(40 * i + c), sum * (c + 1)) << starts[i] << " column " << c;
  }
}
TILE_INSTANTIATE(Collatz, "collatz");

class LowerBounds : public KernelTest {};

TEST_P(LowerBounds, InListsOfEveryLength) {
  for (int64_t count : {0, 1, 2, 3, 33, 1000}) {
    auto sorted = integers(random, count, 0, 500);
    std::sort(sorted.begin(), sorted.end());
    auto wanted = integers(random, 21, -1, 501);
    wanted[0] = -3;
    auto list = tensorOf(DType::i32, {count}, sorted);
    auto values = tensorOf(DType::i32, {21}, wanted);
    GuardedTensor o(DType::i64, {21});
    EXPECT_OK(run(variant(), {list, values, o}));
    for (int64_t i = 0; i < 21; ++i) {
      auto place = std::lower_bound(sorted.begin(), sorted.end(), wanted[i]) - sorted.begin();
      EXPECT_EQ(o.get(i), wanted[i] < 0 ? -1 : place) << count << ": " << wanted[i];
    }
  }
}
TILE_INSTANTIATE(LowerBounds, "lower_bounds");

class HalveRows : public KernelTest {};

TEST_P(HalveRows, SharedMemoryInNestedLoops) {
  const int64_t rows = 9;
  auto values = integers(random, rows * 96, 0, 40);
  std::fill_n(values.begin(), 96, 0.0);
  auto x = tensorOf(DType::i32, {rows, 96}, values);
  GuardedTensor o(DType::i32, {rows, 96}), rounds(DType::i32, {rows});
  EXPECT_OK(run(variant(), {x, o, rounds}));
  for (int64_t i = 0; i < rows; ++i) {
    std::vector<int> row(values.begin() + 96 * i, values.begin() + 96 * (i + 1));
    int expected = 0;
    for (; std::accumulate(row.begin(), row.end(), 0) >= 100; ++expected)
      for (int &value : row)
        value >>= 1;
    EXPECT_EQ(rounds.get(i), expected);
    for (int64_t c = 0; c < 96; ++c)
      ASSERT_EQ(o.get(96 * i + c), row[c]);
  }
}
TILE_INSTANTIATE(HalveRows, "halve_rows");

class NumberCtas : public KernelTest {
protected:
  /// Launches the grid and checks that each CTA ran once; the starting numbers, per element.
  std::vector<double> places(std::vector<int64_t> extents, const std::vector<double> &list,
                             int64_t together) {
    auto [nx, ny, nz] = std::tuple(extents[0], extents[1], extents[2]);
    auto order = tensorOf(DType::i32, {nx * ny * nz}, list);
    GuardedTensor o(variant().dtype(), {nz, ny, nx}), place(DType::i64, {nz, ny, nx});
    o.setValues(std::vector<double>(nx * ny * nz, 1000.0));
    EXPECT_OK(run(variant(), {order, o, place, tile::Arg::integer(DType::i64, together)}));
    for (int64_t i = 0; i < nx * ny * nz; ++i) {
      int64_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
      EXPECT_EQ(o.get(i), 1000 + 100 * z + 10 * y + x);
    }
    return place.values();
  }
};

/// Costs never rise with the starting number within a section.
void expectFalling(const std::vector<double> &places, const std::vector<double> &costs,
                   int64_t sectionSize) {
  std::vector<double> byPlace(places.size());
  for (size_t i = 0; i < places.size(); ++i)
    byPlace.at(static_cast<size_t>(places[i])) = costs[i];
  for (size_t i = 1; i < byPlace.size(); ++i)
    if (static_cast<int64_t>(i) % sectionSize)
      ASSERT_LE(byPlace[i], byPlace[i - 1]) << "number " << i;
}

TEST_P(NumberCtas, EachOnceInTheOrderAskedFor) {
  for (auto extents :
       std::vector<std::vector<int64_t>>{{1, 1, 1}, {5, 3, 4}, {2, 7, 1}, {9, 1, 8}}) {
    auto [nx, ny, nz] = std::tuple(extents[0], extents[1], extents[2]);
    int64_t count = nx * ny * nz;
    std::vector<double> list(count), costs(count);
    std::iota(list.begin(), list.end(), 0.0);
    std::shuffle(list.begin(), list.end(), random);
    for (int64_t together : {int64_t(1), int64_t(4), nx * ny, int64_t(1000)}) {
      auto place = places(extents, list, together);
      int64_t section = count;
      for (int64_t i = 0; i < count; ++i)
        switch (variant().config("order")) {
        case 0:
          costs[i] = static_cast<double>(-i);
          break;
        case 1:
          costs[i] = static_cast<double>(i / nx % ny);
          break;
        case 2:
          costs[i] = static_cast<double>((nx - i % nx + 1) / 2);
          break;
        case 3:
          costs[i] = static_cast<double>(i / nx / ny);
          section = std::min(together, nx * ny) * nz;
          break;
        default: // the list says
          break;
        }
      if (variant().config("order") == 4)
        for (int64_t i = 0; i < count; ++i)
          EXPECT_EQ(list.at(static_cast<size_t>(place[i])), i);
      else
        expectFalling(place, costs, section);
    }
  }
}

/// CUDA's own grid stops at 65535 in y and z.
TEST_P(NumberCtas, ExtentsBeyond65535) {
  if (isInterpreted())
    GTEST_SKIP() << "one CTA after the other takes long in the interpreter";
  for (auto extents : std::vector<std::vector<int64_t>>{
           {70000, 1, 2}, {1, 70001, 2}, {2, 1, 65537}, {1, 1, 1 << 17}}) {
    std::vector<double> list(extents[0] * extents[1] * extents[2]);
    std::iota(list.rbegin(), list.rend(), 0.0);
    places(extents, list, 3000);
  }
}
TILE_INSTANTIATE(NumberCtas, "number_ctas");

class SumListed : public KernelTest {};

TEST_P(SumListed, CountsOfTheDevice) {
  const int64_t rows = 700;
  auto x = tensorOf(DType::i32, {rows, 70}, integers(random, rows * 70, -99, 99));
  for (int64_t count : {0, 1, 3, 300, 700, -4}) {
    std::vector<double> items(rows);
    std::iota(items.begin(), items.end(), 0.0);
    std::shuffle(items.begin(), items.end(), random);
    auto list = tensorOf(DType::i32, {rows}, items);
    auto length = tensorOf(DType::i32, {1}, {static_cast<double>(count)});
    GuardedTensor o(DType::i32, {rows});
    o.setValues(std::vector<double>(rows, 5.0));
    EXPECT_OK(run(variant(), {x, list, length, o}));
    std::vector<double> expected(rows, 5.0);
    for (int64_t i = 0; i < count; ++i)
      for (int64_t c = 0; c < 70; ++c)
        expected[static_cast<size_t>(items[i])] += x.get(static_cast<int64_t>(items[i]) * 70 + c);
    EXPECT_EQ(o.values(), expected) << count;
  }
}
TILE_INSTANTIATE(SumListed, "sum_listed");

class ListedProducts : public KernelTest {};

TEST_P(ListedProducts, PipelinedLoopsOfEveryLength) {
  const int64_t items = isInterpreted() ? 9 : 200, depth = 200;
  auto a = tensorOf(DType::bf16, {items, 64, depth}, integers(random, items * 64 * depth, -2, 2));
  auto b = tensorOf(DType::bf16, {64, depth}, integers(random, 64 * depth, -2, 2));
  auto lengths = integers(random, items, 0, depth);
  auto depths = tensorOf(DType::i32, {items}, lengths);
  GuardedTensor c(DType::f32, {items, 64, 64});
  EXPECT_OK(run(variant(), {a, b, depths, c}));
  auto all = a.values();
  for (int64_t i = 0; i < items; ++i) {
    std::vector<double> one(all.begin() + i * 64 * depth, all.begin() + (i + 1) * 64 * depth);
    for (int64_t j = 0; j < 64 * depth; ++j)
      one[j] = j % depth < lengths[i] ? one[j] : 0;
    auto expected = matmul(one, b.values(), 64, 64, depth, true);
    for (int64_t j = 0; j < 64 * 64; ++j)
      ASSERT_EQ(c.get(i * 64 * 64 + j), expected[j]) << "item " << i;
  }
}
TILE_INSTANTIATE(ListedProducts, "listed_products");
} // namespace

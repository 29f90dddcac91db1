//===- ListsTest.cpp - largest elements, lists, orders, counts ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "LibraryCall.h"

#include "tile/Lists.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace tile;
using namespace tile::test;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Largest {
  GuardedTensor x, length, position, value;

  Largest(int64_t rows, int64_t cols, int64_t k)
      : x(DType::f32, {rows, cols}), length(DType::i32, {rows}), position(DType::i32, {rows, k}),
        value(DType::f32, {rows, k}) {}

  Status call() {
    return run({&x, &length}, {&position, &value}, [&](Stream on) {
      return topK(on, view(x), view(length), view(position), view(value));
    });
  }
  void expectRow(int64_t row) const {
    const int64_t cols = x.shape()[1], k = position.shape()[1];
    auto count = std::clamp<int64_t>(static_cast<int64_t>(length.get(row)), 0, cols);
    auto at = [&](int64_t i) {
      double value = x.get(row * cols + i);
      return std::isnan(value) ? infinity : value; // no infinity among the inputs
    };
    std::vector<int64_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int64_t a, int64_t b) { return std::pair(at(b), a) < std::pair(at(a), b); });
    order.resize(std::min(k, count));
    std::sort(order.begin(), order.end());
    for (int64_t i = 0; i < k; ++i) {
      bool there = i < static_cast<int64_t>(order.size());
      ASSERT_EQ(position.get(row * k + i), there ? static_cast<double>(order[i]) : -1.0) << i;
      double expected = there ? x.get(row * cols + order[i]) : -infinity;
      double found = value.get(row * k + i);
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(found) : found == expected) << i;
    }
  }
};

TEST(TopK, FewAndMany) {
  Random random = seeded();
  for (int64_t k : {1, 64, 65, 2048})
    for (int64_t cols : {30, 5000}) {
      SCOPED_TRACE(testing::Message() << "k = " << k << " of " << cols);
      Largest given(4, cols, k);
      auto values = normal(random, 4 * cols);
      for (int64_t i = 0; i < cols; ++i) // many equal ones
        values[cols + i] = static_cast<double>(pick(random, -3, 3));
      values[7] = std::numeric_limits<double>::quiet_NaN();
      given.x.setValues(values);
      given.length.setValues({static_cast<double>(cols), 1e9, cols / 2.0, -1});
      EXPECT_OK(given.call());
      for (int64_t row = 0; row < 4; ++row)
        given.expectRow(row);
    }
}

TEST(TopK, Errors) {
  EXPECT_EQ(Largest(2, 5000, 2049).call().message(),
            "top_k: no kernel of the library takes f32 with k 2049; it has f32 with k up to 2048; "
            "f32 with k up to 64");
  Largest given(2, 50, 5);
  given.value = GuardedTensor(DType::f32, {2, 6});
  EXPECT_EQ(given.call().message(), "top_k: argument 'value' dimension 1 (min(k, 64)): expected 5 "
                                    "with k = 5, found 6");
  given.position = GuardedTensor(DType::i32, {2});
  EXPECT_EQ(given.call().message(),
            "top_k: argument 'position': expected [rows, k], found 1 dimensions, [2]");
}

struct Lists {
  GuardedTensor mask, count, block;

  Lists(DType dtype, int64_t qBlocks, int64_t kBlocks)
      : mask(dtype, {2, 3, qBlocks, kBlocks}), count(DType::i32, {2, 3, qBlocks}),
        block(DType::i32, {2, 3, qBlocks, kBlocks}) {}

  Status call() {
    return run({&mask}, {&count, &block},
               [&](Stream on) { return blockLists(on, view(mask), view(count), view(block)); });
  }
};

TEST(BlockLists, EveryLength) {
  Random random = seeded();
  for (DType dtype : {DType::i1, DType::i8})
    for (int64_t kBlocks : {33, 512, 513, 2049}) {
      SCOPED_TRACE(testing::Message() << name(dtype) << ", " << kBlocks << " blocks");
      Lists given(dtype, 5, kBlocks);
      std::vector<double> counts(30, 0), blocks(30 * kBlocks, -1);
      for (int64_t i = 0; i < 30 * kBlocks; ++i) {
        bool isSet = pick(random, 0, 29) < i / kBlocks; // the first row is empty
        given.mask.set(i, !isSet ? 0 : dtype == DType::i1 ? 1 : -5);
        if (isSet)
          blocks[i / kBlocks * kBlocks + static_cast<int64_t>(counts[i / kBlocks]++)] =
              static_cast<double>(i % kBlocks);
      }
      EXPECT_OK(given.call());
      EXPECT_EQ(given.count.values(), counts);
      EXPECT_EQ(given.block.values(), blocks);
    }
}

TEST(BlockLists, Errors) {
  EXPECT_EQ(Lists(DType::i8, 1, 8193).call().message(),
            "block_lists: no kernel of the library takes i8 with k_blocks 8193; it has i1 with "
            "k_blocks up to 512; i8 with k_blocks up to 512; i1 with k_blocks up to 2048; i8 with "
            "k_blocks up to 2048; i1 with k_blocks up to 8192; i8 with "
            "k_blocks up to 8192");
  EXPECT_EQ(
      Lists(DType::i16, 1, 20).call().message(),
      "block_lists: no kernel of the library takes argument 'mask' of i16; it has kernels for "
      "i1, i8");
  Lists given(DType::i8, 4, 20);
  given.count = GuardedTensor(DType::i32, {2, 3, 5});
  EXPECT_EQ(given.call().message(),
            "block_lists: argument 'count' dimension 2 (q_blocks): expected 4 "
            "as in 'mask', found 5");
}

TEST(OrderByCost, LowerNumbersFirstAmongEquals) {
  Random random = seeded();
  for (int64_t count : {0, 1, 64, 600}) {
    GuardedTensor cost(DType::i32, {count}), order(DType::i32, {count});
    cost.setValues(integers(random, count, -5, count / 4));
    EXPECT_OK(run({&cost}, {&order},
                  [&](Stream on) { return orderByCost(on, view(cost), view(order)); }));
    std::vector<double> expected(count);
    std::iota(expected.begin(), expected.end(), 0.0);
    auto key = [&](double number) {
      return std::pair(-cost.get(static_cast<int64_t>(number)), number);
    };
    std::sort(expected.begin(), expected.end(),
              [&](double a, double b) { return key(a) < key(b); });
    EXPECT_EQ(order.values(), expected);
  }
}

TEST(OrderByCost, Errors) {
  GuardedTensor real(DType::f32, {4}), cost(DType::i32, {4}), order(DType::i32, {5});
  auto message = [&](GuardedTensor &costs) {
    return run({&costs}, {&order},
               [&](Stream on) { return orderByCost(on, view(costs), view(order)); })
        .message();
  };
  EXPECT_EQ(message(real),
            "order_by_cost: no kernel of the library takes argument 'cost' of f32; it "
            "has kernels for i32");
  EXPECT_EQ(message(cost), "order_by_cost: argument 'order' dimension 0 (count): expected 4 as in "
                           "'cost', found 5");
}

TEST(Histogram, AddsToWhatIsThere) {
  Random random = seeded();
  for (DType dtype : {DType::i32, DType::i8})
    for (int64_t size : {0, 31, 100000}) {
      GuardedTensor x(dtype, {size}), count(DType::i32, {1024});
      auto values = integers(random, size, -10, dtype == DType::i8 ? 127 : 1034);
      x.setValues(values);
      auto expected = integers(random, 1024, 0, 5);
      count.setValues(expected);
      for (double value : values)
        if (value >= 0 && value < 1024)
          expected[static_cast<size_t>(value)] += 1;
      EXPECT_OK(
          run({&x}, {&count}, [&](Stream on) { return histogram(on, view(x), view(count)); }));
      EXPECT_EQ(count.values(), expected);
    }
}

TEST(Histogram, Errors) {
  GuardedTensor x(DType::i32, {9}), wide(DType::i64, {9}), few(DType::i32, {256});
  GuardedTensor count(DType::i32, {1024});
  auto message = [](GuardedTensor &from, GuardedTensor &to) {
    return run({&from}, {&to}, [&](Stream on) { return histogram(on, view(from), view(to)); })
        .message();
  };
  EXPECT_EQ(message(x, few),
            "histogram: no kernel of the library takes i32 with bins 256; it has i32 "
            "with bins 1024; i8 with bins 1024");
  EXPECT_EQ(message(wide, count),
            "histogram: no kernel of the library takes argument 'x' of i64; it "
            "has kernels for i32, i8");
}
} // namespace

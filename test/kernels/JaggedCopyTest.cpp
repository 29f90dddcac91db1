//===- JaggedCopyTest.cpp - segments of every shape -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include <algorithm>
#include <numeric>

using namespace tile::test;
using tile::DType;

namespace {
/// Segments of these lengths in x, behind `lead` rows that belong to none.
struct Segments {
  std::vector<int64_t> lengths;
  int64_t lead = 0;
  int64_t count() const { return static_cast<int64_t>(lengths.size()); }
  int64_t rows() const { return std::accumulate(lengths.begin(), lengths.end(), lead); }
};

class JaggedCopy : public KernelTest {
protected:
  void expectCopied(const Segments &segments, int64_t cols, int64_t gap, int64_t spare) {
    DType type = variant().dtype();
    cols = variant().accepted("cols", cols);
    int64_t count = segments.count(), rows = segments.rows();
    GuardedTensor x = variant().matrix(0, rows + spare, cols, 0);
    x.setValues(integers(random, (rows + spare) * cols, -100, 100));
    // Targets in a random order of the segments, `gap` rows apart.
    std::vector<int64_t> order(count), starts(count + 1, segments.lead), targets(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (int64_t s = 0; s < count; ++s)
      starts[s + 1] = starts[s] + segments.lengths[s];
    int64_t next = gap;
    for (int64_t s : order) {
      targets[s] = next;
      next += segments.lengths[s] + gap;
    }
    GuardedTensor source(DType::i32, {count + 1}), target(DType::i32, {count});
    source.setValues({starts.begin(), starts.end()});
    target.setValues({targets.begin(), targets.end()});
    // The last rows have no place in y: they are dropped.
    int64_t targetRows = std::max<int64_t>(next - 3, 0);
    GuardedTensor y = variant().matrix(3, targetRows, cols, 0);
    y.setValues(std::vector<double>(targetRows * cols, 77));
    auto expected = y.values();
    for (int64_t s = 0; s < count; ++s)
      for (int64_t i = 0; i < segments.lengths[s] * cols; ++i)
        if (int64_t to = targets[s] * cols + i; to < targetRows * cols)
          expected[to] = x.get(starts[s] * cols + i);
    EXPECT_OK(run(variant(), {x, source, target, y}));
    EXPECT_EQ(y.values(), expected) << name(type) << ", " << count << " segments";
  }

  Segments randomSegments(int64_t count, int64_t longest) {
    Segments result;
    for (double length : integers(random, count, 0, longest))
      result.lengths.push_back(static_cast<int64_t>(length));
    return result;
  }
};

TEST_P(JaggedCopy, SegmentsOfEveryShape) {
  for (int64_t cols : cases({1, 31, 128, 260}, {31, 260})) {
    SCOPED_TRACE(cols);
    expectCopied({{}}, cols, 1, 0);
    expectCopied({{0}}, cols, 0, 5);
    expectCopied({{0, 0, 7, 0}}, cols, 2, 0);
    expectCopied({{1}}, cols, 4, 1);
    expectCopied(randomSegments(9, 40), cols, 0, 9);
    Segments behind = randomSegments(5, 70);
    behind.lead = 100;
    expectCopied(behind, cols, 1, 3);
  }
}

TEST_P(JaggedCopy, OneHugeAmongTinyOnes) {
  Segments segments = randomSegments(60, 2);
  segments.lengths[17] = isInterpreted() ? 600 : 20000;
  expectCopied(segments, 64, 1, 0);
}

TEST_P(JaggedCopy, ManyTinyOnes) {
  const int64_t most = isInterpreted() ? 300 : 5000;
  expectCopied(randomSegments(most, 3), 40, 0, 11);
  expectCopied({std::vector<int64_t>(most - 43, 1)}, 8, 0, 0);
  expectCopied({std::vector<int64_t>(1024, 0)}, 8, 1, 0);
}
TILE_INSTANTIATE(JaggedCopy, "jagged_copy");

class OrderByCost : public KernelTest {};

TEST_P(OrderByCost, LowerNumbersFirstAmongEquals) {
  for (int64_t count : cases({0, 1, 63, 64, 65, 600, 3000}, {0, 1, 65, 600})) {
    GuardedTensor cost(variant().dtype(), {count}), order(DType::i32, {count});
    cost.setValues(integers(random, count, -5, count / 4));
    EXPECT_OK(run(variant(), {cost, order}));
    std::vector<double> expected(count);
    std::iota(expected.begin(), expected.end(), 0.0);
    auto key = [&](double number) {
      return std::pair(-cost.get(static_cast<int64_t>(number)), number);
    };
    std::sort(expected.begin(), expected.end(),
              [&](double a, double b) { return key(a) < key(b); });
    EXPECT_EQ(order.values(), expected) << count;
  }
}
TILE_INSTANTIATE(OrderByCost, "order_by_cost");
} // namespace

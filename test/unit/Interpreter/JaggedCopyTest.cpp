//===- JaggedCopyTest.cpp - segments of unequal length, orders of costs ---===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelRun.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>

using namespace tilec::test;
using ::tile::DType;

namespace {

HostTensor integersOf(const std::vector<int64_t> &values) {
  HostTensor result(DType::i32, {static_cast<int64_t>(values.size())});
  for (int64_t i = 0; i < result.count(); ++i)
    result.set(i, static_cast<double>(values[i]));
  return result;
}

/// Segments of these lengths, in y in the reverse order and a row apart; x has rows behind them.
void expectCopied(const std::vector<int64_t> &lengths, int64_t cols) {
  auto count = static_cast<int64_t>(lengths.size());
  std::vector<int64_t> starts(count + 1, 2), targets(count);
  for (int64_t s = 0; s < count; ++s)
    starts[s + 1] = starts[s] + lengths[s];
  int64_t next = 1;
  for (int64_t s = count; s-- > 0; next += lengths[s] + 1)
    targets[s] = next;
  HostTensor x = randomTensor(DType::f32, {starts.back() + 3, cols}, 1);
  HostTensor y = randomTensor(DType::f32, {next, cols}, 2);
  HostTensor source = integersOf(starts), target = integersOf(targets);
  std::vector<double> expected = y.values();
  for (int64_t s = 0; s < count; ++s)
    for (int64_t i = 0; i < lengths[s] * cols; ++i)
      expected[targets[s] * cols + i] = x.at(starts[s] * cols + i);
  LibraryKernel kernel("jagged_copy", "f32", {{"aligned", "0"}, {"part_rows", "8"}});
  ::tile::Tensor views[] = {x.view(), source.view(), target.view(), y.view()};
  ASSERT_EQ(kernel.run({views[0], views[1], views[2], views[3]}), "");
  EXPECT_EQ(y.values(), expected);
}

TEST(JaggedCopy, AgreesWithTheReference) {
  expectCopied({0, 3, 0, 0, 1, 70, 2, 0}, 33);
  expectCopied({300}, 8);
  expectCopied(std::vector<int64_t>(150, 1), 4);
}

TEST(OrderByCost, LowerNumbersFirstAmongEquals) {
  std::vector<int64_t> costs(130);
  for (size_t i = 0; i < costs.size(); ++i)
    costs[i] = static_cast<int64_t>(i * 37 % 11) - 3;
  HostTensor cost = integersOf(costs), order(DType::i32, {130});
  LibraryKernel kernel("order_by_cost", "i32", {});
  ::tile::Tensor in = cost.view(), out = order.view();
  ASSERT_EQ(kernel.run({in, out}), "");
  std::vector<double> expected(130);
  std::iota(expected.begin(), expected.end(), 0.0);
  std::sort(expected.begin(), expected.end(), [&](double a, double b) {
    auto key = [&](double i) { return std::pair(-costs[static_cast<size_t>(i)], i); };
    return key(a) < key(b);
  });
  EXPECT_EQ(order.values(), expected);
}

} // namespace

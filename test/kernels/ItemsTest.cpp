//===- ItemsTest.cpp - CTAs that go through work items --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// None, one, as many as there are multiprocessors, one more or less, and many. On the GPU launches
// draw items beside and behind each other, in whatever way they come.

#include "AttentionCase.h"
#include "CudaStreams.h"
#include "PreparedLoop.h"
#include "Reference.h"

#include <algorithm>
#include <thread>

using namespace tile::test;
using tile::Device;
using tile::DType;
using tile::Stream;

namespace {
class ItemTest : public KernelTest {
protected:
  int64_t multiprocessors() { return tile::test::multiprocessors(variant().device); }
  std::vector<int64_t> numbersOfItems() {
    int64_t count = multiprocessors();
    return {0, 1, count - 1, count, count + 1, 4 * count + 1};
  }
};

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

class LoopItems : public ItemTest {
protected:
  /// A block of queries in each head; some lists are empty.
  PreparedLoop prepare(int64_t items) {
    int64_t blockN = variant().config("block_n");
    return PreparedLoop(variant(),
                        {.heads = items,
                         .qLen = 5,
                         .kvLen = blockN + 9,
                         .headDim = variant().config("head_dim"),
                         .blockM = variant().config("block_m"),
                         .blockN = blockN,
                         .window = blockN + 3,
                         .sink = 10},
                        random);
  }
  /// Calls of a few, some and many items.
  std::deque<PreparedLoop> prepareAll() {
    std::deque<PreparedLoop> result;
    for (int64_t items : {int64_t(1), multiprocessors() + 1, 2 * multiprocessors() + 1})
      result.push_back(prepare(items));
    return result;
  }
  bool isOnGpu() { return variant().device == Device::cuda; }
};

TEST_P(LoopItems, OfEveryNumber) {
  for (int64_t items : numbersOfItems()) {
    SCOPED_TRACE(testing::Message() << items << " items");
    PreparedLoop call = prepare(items);
    EXPECT_OK(call.launch());
    EXPECT_OK(call.check());
  }
}

// A counter that a launch leaves elsewhere than at 0 makes the next one skip items.
TEST_P(LoopItems, OfManyLaunchesInARow) {
  auto calls = prepareAll();
  std::vector<size_t> order;
  for (size_t i = 0; i < calls.size(); ++i)
    order.push_back(i);
  for (int round = 0; round < (isOnGpu() ? 50 : 1); ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (size_t number : order)
      EXPECT_OK(calls[number].launch());
  }
  if (isOnGpu())
    EXPECT_OK(Stream::cuda().synchronize());
  for (PreparedLoop &call : calls)
    call.clear();
  for (size_t number : order)
    EXPECT_OK(calls[number].launch());
  for (PreparedLoop &call : calls)
    EXPECT_OK(call.check());
}

TEST_P(LoopItems, OfTwoStreamsAtOnce) {
  if (!isOnGpu())
    GTEST_SKIP() << "streams of a GPU only";
  static const CudaStreams streams;
  static const Stream both[] = {streams.create(), streams.create()};
  std::deque<PreparedLoop> calls[] = {prepareAll(), prepareAll()};
  EXPECT_OK(Stream::cuda().synchronize());
  for (int round = 0; round < 20; ++round)
    for (size_t i = 0; i < calls[0].size(); ++i)
      for (int which : {0, 1})
        EXPECT_OK(calls[which][i].launch(both[which]));
  for (int which : {0, 1})
    EXPECT_OK(both[which].synchronize());
  for (auto &ofStream : calls)
    for (PreparedLoop &call : ofStream)
      EXPECT_OK(call.check());
}

TEST_P(LoopItems, OfAGraphThatIsLaunchedTwice) {
  if (!isOnGpu())
    GTEST_SKIP() << "graphs of a GPU only";
  static const CudaStreams streams;
  static const Stream both[] = {streams.create(), streams.create()};
  auto captured = prepareAll(), beside = prepareAll();
  EXPECT_OK(Stream::cuda().synchronize());
  void *graph = streams.capture(both[0], [&] {
    for (PreparedLoop &call : captured)
      EXPECT_OK(call.launch(both[0]));
  });
  for (const Stream &stream : both) {
    streams.launch(graph, stream);
    for (PreparedLoop &call : beside)
      EXPECT_OK(call.launch(both[0]));
  }
  for (const Stream &stream : both)
    EXPECT_OK(stream.synchronize());
  for (auto *calls : {&captured, &beside})
    for (PreparedLoop &call : *calls)
      EXPECT_OK(call.check());
}

TEST_P(LoopItems, OfTwoThreads) {
  if (!isOnGpu())
    GTEST_SKIP() << "on the host a launch has all threads";
  std::deque<PreparedLoop> calls[] = {prepareAll(), prepareAll()};
  EXPECT_OK(Stream::cuda().synchronize());
  auto launchAll = [](std::deque<PreparedLoop> *mine) {
    for (int round = 0; round < 20; ++round)
      for (PreparedLoop &call : *mine)
        EXPECT_OK(call.launch());
  };
  std::thread first(launchAll, &calls[0]), second(launchAll, &calls[1]);
  first.join();
  second.join();
  EXPECT_OK(Stream::cuda().synchronize());
  for (auto &ofThread : calls)
    for (PreparedLoop &call : ofThread)
      EXPECT_OK(call.check());
}

/// Of loops/, those with work items.
std::vector<Variant> loopsWithItems() {
  std::vector<Variant> result = variants("item_attention");
  for (const char *kernel :
       {"capped_attention", "sink_attention", "query_gradient", "gathered_attention"})
    for (const Variant &variant : variants(kernel))
      if (variant.config("items"))
        result.push_back(variant);
  return result;
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LoopItems);
INSTANTIATE_TEST_SUITE_P(Loops, LoopItems, testing::ValuesIn(loopsWithItems()),
                         [](const testing::TestParamInfo<Variant> &info) {
                           return std::string(info.param.info->source) + "_" +
                                  name(info.param.device);
                         });

//===----------------------------------------------------------------------===//
// The library's attention
//===----------------------------------------------------------------------===//

class AttentionItems : public ItemTest {};

TEST_P(AttentionItems, OfEveryNumber) {
  for (int64_t items : numbersOfItems()) {
    AttentionCase given = {.kvHeads = items,
                           .group = 1,
                           .qLen = 3,
                           .kvLen = 2 * variant().config("block_n") + 9,
                           .lists = Lists::invalid,
                           .memory = Memory::packed};
    SCOPED_TRACE(describe(given));
    EXPECT_OK(AttentionCall(variant(), given, random).runAndCheck());
  }
}

std::vector<Variant> attentionWithItems() {
  std::vector<Variant> result;
  for (const char *kernel : {"block_sparse_forward", "dense_forward", "paired_forward"})
    for (const Variant &variant : variants(kernel))
      if (variant.info->counter)
        result.push_back(variant);
  return result;
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AttentionItems);
INSTANTIATE_TEST_SUITE_P(Library, AttentionItems, testing::ValuesIn(attentionWithItems()),
                         [](const testing::TestParamInfo<Variant> &info) {
                           return std::string(info.param.info->symbol) + "_" +
                                  name(info.param.device);
                         });

//===----------------------------------------------------------------------===//
// Counts of the device
//===----------------------------------------------------------------------===//

class CountedProducts : public ItemTest {
protected:
  static constexpr int64_t depth = 136;

  void check(int64_t most, int64_t count) {
    SCOPED_TRACE(testing::Message() << count << " of " << most << " items");
    GuardedTensor a(DType::bf16, {most, 64, depth}), b(DType::bf16, {64, depth});
    a.setValues(integers(random, a.elements(), -2, 2));
    b.setValues(integers(random, b.elements(), -2, 2));
    GuardedTensor counts(DType::i32, {1}), depths(DType::i32, {most});
    counts.set(0, static_cast<double>(count));
    depths.setValues(integers(random, most, 0, depth)); // of whole blocks of 64
    GuardedTensor c(DType::f32, {most, 64, 64}), sum(DType::f32, {64, 64});
    std::vector<double> total(64 * 64, 1.0);
    sum.setValues(total);
    EXPECT_OK(run(variant(), {a, b, counts, depths, c, sum}));
    auto left = a.values(), right = b.values();
    for (int64_t i = 0; i < most; ++i) {
      auto row = left.begin() + i * 64 * depth;
      std::vector<double> mine(row, row + 64 * depth);
      auto used = (static_cast<int64_t>(depths.get(i)) + 63) / 64 * 64;
      for (int64_t j = 0; j < 64 * depth; ++j)
        mine[j] = j % depth < used ? mine[j] : 0;
      auto expected = matmul(mine, right, 64, 64, depth, true);
      for (int64_t j = 0; j < 64 * 64; ++j) {
        double found = c.get(i * 64 * 64 + j);
        ASSERT_TRUE(i < count ? found == expected[j] : std::isnan(found)) << "item " << i;
        total[j] += i < count ? expected[j] : 0;
      }
    }
    EXPECT_EQ(sum.values(), variant().config("adds") ? total : std::vector<double>(64 * 64, 1.0));
  }
};

// Fewer than there are CTAs, as many, more; beyond the list, which the kernel takes as its end, and
// below 0.
TEST_P(CountedProducts, OfEveryNumber) {
  const int64_t most = 3 * variant().config("ctas_per_sm") * multiprocessors() + 1;
  for (int64_t count : numbersOfItems())
    check(most, std::min(count, most));
  for (int64_t count : {-7l, most - 1, most})
    check(most, count);
  check(0, 0);
}
TILE_INSTANTIATE(CountedProducts, "counted_products");
} // namespace

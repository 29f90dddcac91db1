//===- LoopTest.cpp - loops that are split into roles, against double -----===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"
#include "LoopCase.h"

using namespace tile::test;

namespace {
/// One call on the target, and its outputs.
tile::Status runLoop(const Variant &variant, const LoopCase &call,
                     std::vector<std::vector<double>> &outputs) {
  std::vector<GuardedTensor> tensors;
  for (const LoopCase::Operand &operand : call.operands()) {
    tensors.emplace_back(operand.dtype, operand.shape);
    if (!operand.isOutput)
      tensors.back().setValues(operand.values);
  }
  std::vector<Operand> operands(tensors.begin(), tensors.end());
  operands.insert(operands.end(), call.scalars().begin(), call.scalars().end());
  tile::Status status = run(variant, operands);
  outputs.clear();
  for (size_t i = 0; i < tensors.size(); ++i)
    if (call.operands()[i].isOutput)
      outputs.push_back(tensors[i].values());
  return status;
}

class Loop : public KernelTest {
protected:
  LoopShape shape(int64_t qLen, int64_t kvLen) {
    return {.qLen = qLen,
            .kvLen = kvLen,
            .headDim = variant().config("head_dim"),
            .blockM = variant().config("block_m"),
            .blockN = variant().config("block_n"),
            .window = pick(random, 0, kvLen),
            .sink = pick(random, 0, kvLen)};
  }
  void check(LoopShape given, Values kind) {
    SCOPED_TRACE("q_len " + std::to_string(given.qLen) + ", kv_len " + std::to_string(given.kvLen) +
                 ", window " + std::to_string(given.window) + ", sink " +
                 std::to_string(given.sink));
    LoopCase call(variant().info->source, given, random, kind);
    std::vector<std::vector<double>> found, onHost;
    EXPECT_OK(runLoop(variant(), call, found));
    EXPECT_OK(call.check(found));
    if (kind != Values::exact || variant().device == tile::Device::host)
      return;
    EXPECT_OK(runLoop({variant().info, tile::Device::host}, call, onHost));
    EXPECT_EQ(found.front(), onHost.front()); // the log-sum-exps take a logarithm
  }
};

TEST_P(Loop, OfEveryLength) {
  for (auto [qLen, kvLen] : {std::pair(1, 1), std::pair(100, 129), std::pair(129, 400),
                             std::pair(256, 640), std::pair(300, 77)})
    check(shape(qLen, kvLen), Values::random);
}

TEST_P(Loop, ThatRunsNotAtAllOrOnce) {
  for (int64_t trips : {0, 1}) {
    LoopShape given = shape(200, 300);
    given.trips = trips;
    given.window = given.sink = trips;
    check(given, Values::random);
  }
  check(shape(100, 0), Values::random);
}

// On the GPU also bit for bit what the host computes.
TEST_P(Loop, ExactValues) {
  check(shape(200, 500), Values::exact);
  check(shape(65, 1000), Values::exact);
}

// Sums are scaled in some iterations and left alone in others.
TEST_P(Loop, ClimbingMaxima) {
  check(shape(100, 5 * variant().config("block_n") - 9), Values::climbing);
}

// A persistent kernel: CTAs that go through several items, and one that gets fewer than others.
class Items : public Loop {};

TEST_P(Items, MoreThanMultiprocessors) {
  LoopShape given = shape(variant().config("block_m") + 1, 200);
  given.heads = isInterpreted() ? 3 : 75;
  check(given, Values::random);
  given.trips = 0;
  check(given, Values::random);
}

TILE_INSTANTIATE(Items, "item_attention");
INSTANTIATE_TEST_SUITE_P(Items, Loop, testing::ValuesIn(variants("item_attention")), variantName);
TILE_INSTANTIATE(Loop, "capped_attention");
INSTANTIATE_TEST_SUITE_P(ScalePerKey, Loop, testing::ValuesIn(variants("scaled_attention")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Guarded, Loop, testing::ValuesIn(variants("guarded_attention")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Paged, Loop, testing::ValuesIn(variants("paged_attention")), variantName);
INSTANTIATE_TEST_SUITE_P(SmallPages, Loop, testing::ValuesIn(variants("small_pages_attention")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Pairs, Loop, testing::ValuesIn(variants("pair_attention")), variantName);
INSTANTIATE_TEST_SUITE_P(Gathered, Loop, testing::ValuesIn(variants("gathered_attention")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Table, Loop, testing::ValuesIn(variants("table_attention")), variantName);
INSTANTIATE_TEST_SUITE_P(Short, Loop, testing::ValuesIn(variants("short_attention")), variantName);
INSTANTIATE_TEST_SUITE_P(Sink, Loop, testing::ValuesIn(variants("sink_attention")), variantName);
INSTANTIATE_TEST_SUITE_P(Grouped, Loop, testing::ValuesIn(variants("grouped_attention")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Gradient, Loop, testing::ValuesIn(variants("query_gradient")),
                         variantName);
} // namespace

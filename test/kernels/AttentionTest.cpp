//===- AttentionTest.cpp - attention against double -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What every forward kernel is asked for, dense_forward with all blocks in place of a list. Lists
// of all kinds: ListedAttentionTest.cpp.

#include "AttentionCase.h"

#include <cmath>
#include <limits>

using namespace tile::test;
using tile::Device;
using tile::DType;

namespace {
class Attention : public AttentionKernelTest {};

TEST_P(Attention, EveryPairOfLengths) {
  for (int64_t qLen : cases({1, 63, 64, 65, 100, 129, 192, 256, 300}, {65, 129}))
    for (int64_t kvLen : cases({1, 63, 64, 65, 100, 129, 192, 256, 300}, {1, 300}))
      check({.qLen = qLen, .kvLen = kvLen, .lists = Lists::all});
}

TEST_P(Attention, Groups) {
  for (int64_t group : cases({1, 3, 8}, {3}))
    check({.batch = isInterpreted() ? 1 : 2,
           .kvHeads = 2,
           .group = group,
           .qLen = isInterpreted() ? 20 : 130,
           .kvLen = 257});
}

// With a causal mask CTAs start in sections of heads; here the last section is smaller. Few
// variants are enough: filling the tensors takes long.
TEST_P(Attention, SectionsOfHeads) {
  if (!isInterpreted() && variant().dtype() == DType::bf16 && variant().config("head_dim") == 64 &&
      variant().config("block_m") > 64 && variant().config("causal"))
    check({.kvHeads = 3, .group = 1, .qLen = 193, .kvLen = 20'000, .lists = Lists::one});
}

TEST_P(Attention, Memory) {
  for (Memory memory : {Memory::packed, Memory::padded, Memory::interleaved})
    check({.batch = 2,
           .kvHeads = isInterpreted() ? 1 : 2,
           .group = 2,
           .qLen = isInterpreted() ? 31 : 129,
           .kvLen = isInterpreted() ? 70 : 190,
           .memory = memory});
}

// An earlier block's scores exceed a later one's by far more than float's exponent range, and the
// other way round.
TEST_P(Attention, RowMaxGapsOver100) {
  AttentionCase given = {.qLen = isInterpreted() ? 50 : 300, .kvLen = 300, .lists = Lists::all};
  for (int64_t large : cases({0, 1, 2}, {1})) {
    SCOPED_TRACE(large);
    AttentionCall call(variant(), given, random);
    int64_t first = large * 100 * call.shape().headDim, count = 100 * call.shape().headDim;
    for (int64_t i = first; i < first + count; ++i)
      call.k.set(i, call.k.get(i) * 100);
    EXPECT_OK(call.runAndCheck());
  }
}

// Maxima that climb and fall, in small steps to far more than what f32 or f16 hold, and in large
// ones. The last block is one that some rows do not see under a causal mask.
TEST_P(Attention, ClimbingMaxima) {
  const int64_t kvLen = isInterpreted() ? 404 : 1300;
  AttentionCall call(variant(), {.group = 1, .qLen = 65, .kvLen = kvLen, .lists = Lists::all},
                     random);
  call.climb(random);
  EXPECT_OK(call.runAndCheck());
}

// A row of NaN is NaN, its neighbours are what they were.
TEST_P(Attention, NaNStaysInItsRow) {
  AttentionCall call(variant(), {.group = 1, .qLen = 40, .kvLen = 130, .lists = Lists::all},
                     random);
  EXPECT_OK(call.runAndCheck());
  EXPECT_OK(call.checkNaNInRow(pick(random, 0, 39)));
}

// Whole blocks whose scores are -inf, the first that are taken among them: rows have no reference
// for a while.
TEST_P(Attention, ScoresOfMinusInfinity) {
  if (variant().dtype() == DType::f16)
    GTEST_SKIP() << "sums of products of f16 do not overflow";
  for (bool farBelow : {false, true}) {
    SCOPED_TRACE(farBelow);
    AttentionCall call(variant(), {.group = 1, .qLen = 65, .kvLen = 700, .lists = Lists::all},
                       random);
    call.overflowFrom(290, farBelow);
    EXPECT_OK(call.runAndCheck());
  }
}

// Scores far below zero: the padded keys' 0 must not become the maximum.
TEST_P(Attention, AllScoresFarBelowZero) {
  AttentionCase given = {.qLen = 65, .kvLen = 65, .lists = Lists::all};
  AttentionCall call(variant(), given, random);
  for (int64_t i = 0; i < call.q.elements(); ++i)
    call.q.set(i, std::abs(call.q.get(i)) * 4);
  for (int64_t i = 0; i < call.k.elements(); ++i)
    call.k.set(i, -std::abs(call.k.get(i)) * 4);
  EXPECT_OK(call.runAndCheck());
}

TEST_P(Attention, ZeroExtents) {
  check({.batch = 0, .qLen = 100, .kvLen = 100});
  check({.kvHeads = 0, .qLen = 100, .kvLen = 100});
  check({.qLen = 0, .kvLen = 100});
  check({.qLen = 100, .kvLen = 0, .lists = Lists::all}); // no key: rows of 0 and -inf
}

// One key per row: the output is its value, exactly; a zero query has the log-sum-exp 0.
TEST_P(Attention, OneKeyOfScoreZero) {
  AttentionCall call(variant(), {.qLen = 1, .kvLen = 1, .lists = Lists::all}, random);
  for (int64_t i = 0; i < call.q.elements(); ++i)
    call.q.set(i, 0);
  EXPECT_OK(call.runAndCheck());
  EXPECT_EQ(call.lse.get(0), 0.0);
  for (int64_t i = 0; i < call.shape().valueDim; ++i)
    EXPECT_EQ(call.o.get(i), call.v.get(i));
}

/// Integer scores in base 2 and small integer values: every weight is a power of two, and every sum
/// is exact in f32 in any order. From block to block maxima change by 8 and by 9, of which the
/// softmax follows one.
void makeExact(AttentionCall &call, Random &random) {
  call.scale = static_cast<float>(std::log(2.0)); // scale * log2(e) rounds to 1
  const AttentionShape &s = call.shape();
  call.q.setValues(std::vector<double>(call.q.elements(), 0.0));
  for (int64_t row = 0; row < s.batch * s.heads * s.qLen; ++row)
    call.q.set(row * s.headDim + pick(random, 0, s.headDim - 1), 1);
  call.k.setValues(integers(random, call.k.elements(), -1, 1));
  const int64_t perBlock = s.blockN * s.headDim;
  for (int64_t i = 0; i < call.k.elements(); ++i) {
    int64_t block = i % (s.kvLen * s.headDim) / perBlock, column = i % s.headDim;
    int64_t rise[] = {0, 8, 9, 0, 9, 8};
    call.k.set(i, call.k.get(i) +
                      static_cast<double>(rise[(column + block + column / 6 * block) % 6]));
  }
  call.v.setValues(integers(random, call.v.elements(), -4, 4));
  call.poisonUnselected();
}

// On the GPU also bit for bit what the host computes.
TEST_P(Attention, ExactWeights) {
  for (auto [qLen, kvLen] : cases({std::pair(300, 300), std::pair(65, 129), std::pair(129, 300)},
                                  {std::pair(65, 129)})) {
    SCOPED_TRACE(qLen);
    AttentionCall call(variant(), {.qLen = qLen, .kvLen = kvLen}, random);
    makeExact(call, random);
    EXPECT_OK(call.runAndCheck());
    if (variant().device == Device::host)
      continue;
    auto onGpu = call.o.values();
    call.variant.device = Device::host;
    EXPECT_OK(call.runAndCheck());
    EXPECT_EQ(onGpu, call.o.values());
  }
}

// Many calls of one kernel with changing lengths give each its own result.
TEST_P(Attention, RandomShapes) {
  const int64_t most = isInterpreted() ? 150 : 400;
  for (int i = 0; i < (isInterpreted() ? 1 : 12); ++i)
    check({.batch = pick(random, 1, 2),
           .kvHeads = pick(random, 1, 2),
           .group = pick(random, 1, 4),
           .qLen = pick(random, 1, most),
           .kvLen = pick(random, 1, most),
           .lists = static_cast<Lists>(pick(random, 1, 4)),
           .memory = static_cast<Memory>(pick(random, 0, 2))});
}

TILE_INSTANTIATE(Attention, "block_sparse_forward");
INSTANTIATE_TEST_SUITE_P(Dense, Attention, testing::ValuesIn(variants("dense_forward")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Paired, Attention, testing::ValuesIn(variants("paired_forward")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Group, Attention, testing::ValuesIn(variants("group_forward")),
                         variantName);
} // namespace

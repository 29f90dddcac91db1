//===- DenseAttentionTest.cpp - dense_forward against double --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "AttentionCase.h"

#include <cmath>

using namespace tile::test;

namespace {
class DenseAttention : public KernelTest {
protected:
  void check(AttentionCase given) {
    given.lists = Lists::all;
    SCOPED_TRACE(describe(given));
    EXPECT_OK(AttentionCall(variant(), given, random).runAndCheck());
  }
};

TEST_P(DenseAttention, EveryPairOfLengths) {
  for (int64_t qLen : cases({1, 63, 64, 65, 100, 129, 192, 256, 300}, {65, 129}))
    for (int64_t kvLen : cases({1, 63, 64, 65, 100, 129, 192, 256, 300}, {1, 300}))
      check({.qLen = qLen, .kvLen = kvLen});
}

TEST_P(DenseAttention, Groups) {
  for (int64_t group : cases({1, 3, 8}, {3}))
    check({.batch = isInterpreted() ? 1 : 2,
           .kvHeads = 2,
           .group = group,
           .qLen = isInterpreted() ? 20 : 130,
           .kvLen = 257});
}

// With a causal mask CTAs start in sections of heads; here the last section is smaller. One variant
// is enough: filling the tensors takes long.
TEST_P(DenseAttention, SectionsOfHeads) {
  if (!isInterpreted() && variant().config("head_dim") == 64 && variant().config("causal"))
    check({.kvHeads = 3, .group = 1, .qLen = 193, .kvLen = 20'000});
}

TEST_P(DenseAttention, Memory) {
  for (Memory memory : {Memory::packed, Memory::padded, Memory::interleaved})
    check({.batch = 2,
           .kvHeads = isInterpreted() ? 1 : 2,
           .group = 2,
           .qLen = isInterpreted() ? 31 : 129,
           .kvLen = isInterpreted() ? 70 : 190,
           .memory = memory});
}

// Its last block, the first to be taken, is one that some rows do not see under a causal mask.
TEST_P(DenseAttention, ClimbingMaxima) {
  const int64_t kvLen = isInterpreted() ? 404 : 1300;
  AttentionCall call(variant(), {.group = 1, .qLen = 65, .kvLen = kvLen, .lists = Lists::all},
                     random);
  call.climb(random);
  EXPECT_OK(call.runAndCheck());
}

TEST_P(DenseAttention, NaNStaysInItsRow) {
  AttentionCall call(variant(), {.group = 1, .qLen = 40, .kvLen = 130, .lists = Lists::all},
                     random);
  EXPECT_OK(call.runAndCheck());
  EXPECT_OK(call.checkNaNInRow(pick(random, 0, 39)));
}

// Whole blocks whose scores are -inf, the first that are taken among them: rows have no reference
// for a while.
TEST_P(DenseAttention, ScoresOfMinusInfinity) {
  if (variant().dtype() == tile::DType::f16)
    GTEST_SKIP() << "sums of products of f16 do not overflow";
  for (bool farBelow : {false, true}) {
    SCOPED_TRACE(farBelow);
    AttentionCall call(variant(), {.group = 1, .qLen = 65, .kvLen = 700, .lists = Lists::all},
                       random);
    call.overflowFrom(290, farBelow);
    EXPECT_OK(call.runAndCheck());
  }
}

TEST_P(DenseAttention, AllScoresFarBelowZero) {
  AttentionCall call(variant(), {.qLen = 65, .kvLen = 65, .lists = Lists::all}, random);
  for (int64_t i = 0; i < call.q.elements(); ++i)
    call.q.set(i, std::abs(call.q.get(i)) * 4);
  for (int64_t i = 0; i < call.k.elements(); ++i)
    call.k.set(i, -std::abs(call.k.get(i)) * 4);
  EXPECT_OK(call.runAndCheck());
}

TEST_P(DenseAttention, ZeroExtents) {
  check({.batch = 0, .qLen = 100, .kvLen = 100});
  check({.kvHeads = 0, .qLen = 100, .kvLen = 100});
  check({.qLen = 0, .kvLen = 100});
  check({.qLen = 100, .kvLen = 0}); // no key: rows of 0 and -inf
}

TEST_P(DenseAttention, RandomShapes) {
  const int64_t most = isInterpreted() ? 150 : 400;
  for (int i = 0; i < (isInterpreted() ? 1 : 12); ++i)
    check({.batch = pick(random, 1, 2),
           .kvHeads = pick(random, 1, 2),
           .group = pick(random, 1, 4),
           .qLen = pick(random, 1, most),
           .kvLen = pick(random, 1, most),
           .memory = static_cast<Memory>(pick(random, 0, 2))});
}

TILE_INSTANTIATE(DenseAttention, "dense_forward");
} // namespace

//===- FragmentLayoutTest.cpp - properties of every kind of layout ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "LayoutProperties.h"
#include <vector>

using namespace tilec;

namespace {

struct Case {
  const char *name;
  FragmentLayout layout;
  Coord shape;
};

std::vector<Case> allKinds() {
  return {
      {"wgmma 64x8", wgmmaAccumulator(64, 8, {}), {64, 8}},
      {"wgmma 128x24, two warpgroups on M", wgmmaAccumulator(128, 24, {{0, 2}}), {128, 24}},
      {"wgmma 64x80, surplus columns", wgmmaAccumulator(64, 76, {}), {64, 76}},
      {"wgmma 192x176, three warpgroups", wgmmaAccumulator(192, 176, {{0, 3}}), {192, 176}},
      {"wgmma 192x192, one warpgroup", wgmmaAccumulator(192, 192, {}), {192, 192}},
      {"wgmma 256x80, two warpgroups", wgmmaAccumulator(256, 80, {{0, 2}}), {256, 80}},
      {"wgmma 128x48 over M and N", wgmmaAccumulator(128, 48, {{0, 2}, {1, 3}}), {128, 48}},
      {"wgmma A operand shared by two warpgroups of N",
       wgmmaAccumulator(64, 64, {{-1, 2}}),
       {64, 64}},
      {"mma 16x8", mmaAccumulator(16, 8, {}), {16, 8}},
      {"mma 8x40, five warps on N", mmaAccumulator(8, 40, {{1, 5}}), {8, 40}},
      {"mma 48x24, M and N", mmaAccumulator(48, 24, {{0, 3}, {1, 3}}), {48, 24}},
      {"mma 32x64, N split twice around M",
       mmaAccumulator(32, 64, {{1, 2}, {0, 2}, {1, 2}}),
       {32, 64}},
      {"blocked vector", blocked({1000}, 4, 4), {1000}},
      {"blocked 80x80", blocked({80, 80}, 8, 4), {80, 80}},
      {"blocked rank 3", blocked({3, 5, 24}, 2, 6), {3, 5, 24}},
      {"blocked rank 4", blocked({2, 3, 4, 5}, 1, 4), {2, 3, 4, 5}},
      {"blocked, tile smaller than a warp", blocked({2, 3}, 1, 8), {2, 3}},
      {"blocked, one element", blocked({1}, 8, 32), {1}},
      {"replicated", replicated({3, 5}, 4), {3, 5}},
      {"partial axis of a row sum",
       withRegisterAxis(wgmmaAccumulator(128, 24, {{0, 2}}).slice(1), 3),
       {128, 3}},
      {"partial axis, one element", withRegisterAxis(blocked({100}, 1, 4), 1), {100, 1}},
  };
}

TEST(FragmentLayout, PropertiesOfAllKinds) {
  for (const Case &test : allKinds()) {
    SCOPED_TRACE(test.name);
    expectAll(test.layout, test.shape);
    for (int axis = 0; axis < test.layout.rank; ++axis)
      expectAll(test.layout.slice(axis), dropped(test.shape, axis));
    if (HasFatalFailure())
      return;
  }
}

TEST(FragmentLayout, SlicesOfTwoGemmsWithTheSameRowsAreEqual) {
  const auto scores = wgmmaAccumulator(192, 176, {{0, 3}}),
             output = wgmmaAccumulator(192, 128, {{0, 3}});
  EXPECT_EQ(scores.slice(1), output.slice(1));
  EXPECT_EQ(wgmmaAccumulator(256, 80, {{0, 2}}).slice(1),
            wgmmaAccumulator(256, 256, {{0, 2}}).slice(1));
  EXPECT_EQ(mmaAccumulator(16, 64, {{1, 4}}).slice(1), mmaAccumulator(16, 128, {{1, 4}}).slice(1));
  EXPECT_NE(scores.slice(1), wgmmaAccumulator(192, 128, {}).slice(1));
}

TEST(FragmentLayout, SliceOfAPartialAxisIsItsRows) {
  const auto rows = wgmmaAccumulator(128, 176, {{0, 2}}).slice(1);
  EXPECT_EQ(withRegisterAxis(rows, 4).slice(1), rows);
  EXPECT_EQ(withRegisterAxis(rows, 4).contiguous(1), 1);
  EXPECT_EQ(withRegisterAxis(blocked({64}, 1, 2), 4).contiguous(1), 4);
}

TEST(FragmentLayout, ReductionFacts) {
  const auto scores = wgmmaAccumulator(128, 64, {{0, 2}});
  EXPECT_EQ(scores.laneBitsAlong(1), (llvm::SmallVector<int>{0, 1}));
  EXPECT_EQ(scores.laneBitsAlong(0), (llvm::SmallVector<int>{2, 3, 4}));
  EXPECT_FALSE(scores.warpsSplit(1));
  EXPECT_TRUE(scores.warpsSplit(0));
  EXPECT_TRUE(mmaAccumulator(16, 64, {{1, 4}}).warpsSplit(1));
  EXPECT_FALSE(mmaAccumulator(16, 64, {{1, 4}}).warpsSplit(0));
  EXPECT_FALSE(replicated({64}, 4).warpsSplit(0));
}

TEST(FragmentLayout, ContiguousKnownCases) {
  EXPECT_EQ(wgmmaAccumulator(64, 64, {}).contiguous(1), 2);
  EXPECT_EQ(wgmmaAccumulator(64, 64, {}).contiguous(0), 1);
  EXPECT_EQ(blocked({64, 128}, 8, 4).contiguous(1), 8);
  EXPECT_EQ(blocked({64, 3}, 8, 4).contiguous(1), 4);
  EXPECT_EQ(replicated({4, 24}, 4).contiguous(1), 24);
  EXPECT_EQ(replicated({4, 24}, 4).contiguous(0), 1);
  EXPECT_EQ(blocked({4096}, 4, 4).slice(0).numRegs(), 1);
}

TEST(FragmentLayout, StoresHappenOnce) {
  const auto rows = wgmmaAccumulator(64, 64, {{1, 2}}).slice(1);
  EXPECT_TRUE(rows.isFirstCopy(3, 28));
  EXPECT_FALSE(rows.isFirstCopy(3, 29)); // another column of the quad
  EXPECT_FALSE(rows.isFirstCopy(4, 28)); // the second warpgroup holds other columns
  EXPECT_EQ(rows.firstCopy(7, 31), std::pair(int64_t(3), int64_t(28)));
}

} // namespace

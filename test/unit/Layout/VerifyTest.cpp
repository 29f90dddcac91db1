//===- VerifyTest.cpp - one malformed layout per message ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/FragmentLayout.h"
#include <gtest/gtest.h>

using namespace tilec;

namespace {

/// What verify() says after `edit` of a good layout.
template <typename Edit> std::string problem(Edit edit) {
  FragmentLayout layout = wgmmaAccumulator(128, 24, {{0, 2}});
  EXPECT_EQ(layout.verify(), std::nullopt);
  edit(layout);
  return layout.verify().value_or("");
}

TEST(Verify, Vectors) {
  EXPECT_EQ(problem([](FragmentLayout &l) { l.lane.pop_back(); }),
            "lane has 4 vectors, expected 5");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.warp.pop_back(); }),
            "warp has 1 vectors, expected none or 2");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.reg[1] = {8}; }),
            "reg[1] has 1 coordinates, expected 2");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.reg[1] = {6, 0}; }),
            "reg[1] has the step 6, expected 0 or a power of two");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.reg[1] = {-8, 0}; }),
            "reg[1] has the step -8, expected 0 or a power of two");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.lane[0] = {8, 0}; }),
            "lane[0] repeats the step 8 of another vector; write a zero vector for a copy");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.warp[0] = {16, 8}; }),
            "warp[0] moves along 2 axes, expected one");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.reg[0] = {0, 0}; }),
            "reg[0] is zero; registers hold no copies, leave the vector out");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.reg[1] = {64, 0}; }),
            "no vector moves by 8 along axis 0, but one moves by 64");
}

TEST(Verify, Digits) {
  EXPECT_EQ(problem([](FragmentLayout &l) { l.repeat[0].dim = 2; }),
            "repeat[0] runs along axis 2, expected 0 to 1");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.repeat[0].dim = -1; }),
            "repeat[0] runs along axis -1, expected 0 to 1");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.warps[0].dim = -2; }),
            "warps[0] runs along axis -2, expected -1 to 1");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.repeat[0].count = 1; }),
            "repeat[0] has the count 1, expected 2 to 1048576 (a count of 1 is left out)");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.repeat.push_back({1, 2}); }),
            "repeat[1] runs along the same axis as the digit before it; write one digit with the "
            "product");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.warps = {{0, 9}}; }), "has more than 32 warps");
  EXPECT_EQ(problem([](FragmentLayout &l) { l.repeat = {{0, 1 << 20}, {1, 1 << 20}}; }),
            "has more than 1048576 registers");
}

} // namespace

//===- ConversionTest.cpp - the planner against a search over all holders ---===//
// SPDX-License-Identifier: Apache-2.0
#include "LayoutProperties.h"
#include <algorithm>
#include <map>
#include <vector>

using namespace tilec;

namespace {

/// The planner's definition, by search.
ConversionKind searchKind(const FragmentLayout &from, const FragmentLayout &to,
                          llvm::ArrayRef<int64_t> shape) {
  std::map<std::vector<int64_t>, std::vector<Holder>> holders;
  forEachHolder(from, [&](int64_t warp, int64_t lane, int64_t reg) {
    const Coord c = from.coords(warp, lane, reg);
    holders[{c.begin(), c.end()}].push_back({warp, lane, reg});
  });
  bool same = from.numRegs() == to.numRegs(), thread = true, quad = true, warpOnly = true;
  std::map<int64_t, int64_t> source;
  forEachHolder(to, [&](int64_t warp, int64_t lane, int64_t reg) {
    const Coord c = to.coords(warp, lane, reg);
    for (size_t axis = 0; axis < shape.size(); ++axis)
      if (c[axis] >= shape[axis])
        return;
    const auto &all = holders[{c.begin(), c.end()}];
    auto any = [&](auto predicate) { return std::any_of(all.begin(), all.end(), predicate); };
    warpOnly &= any([&](const Holder &h) { return h.warp == warp; });
    quad &= any([&](const Holder &h) { return h.warp == warp && h.lane / 4 == lane / 4; });
    const auto own = std::find_if(
        all.begin(), all.end(), [&](const Holder &h) { return h.warp == warp && h.lane == lane; });
    if (own == all.end()) {
      thread = false;
      return;
    }
    same &= own->reg == reg;
    thread &= source.try_emplace(reg, own->reg).first->second == own->reg;
  });
  if (thread)
    return same ? ConversionKind::None : ConversionKind::RegisterPermutation;
  return quad       ? ConversionKind::QuadShuffle
         : warpOnly ? ConversionKind::WarpShuffle
                    : ConversionKind::Shared;
}

/// The accumulator's twin with the roles of rows and lanes changed in one way.
FragmentLayout edited(FragmentLayout layout, void (*edit)(FragmentLayout &)) {
  edit(layout);
  return layout;
}

TEST(Conversion, KnownCases) {
  using enum ConversionKind;
  const llvm::SmallVector<int64_t> shape{64, 64};
  const auto acc = wgmmaAccumulator(64, 64, {});
  EXPECT_EQ(planConversion(acc, acc, shape), None);
  const auto swapped = edited(acc, [](FragmentLayout &l) { std::swap(l.reg[0], l.reg[1]); });
  EXPECT_EQ(planConversion(acc, swapped, shape), RegisterPermutation);
  const auto quad = edited(acc, [](FragmentLayout &l) { std::swap(l.reg[0], l.lane[1]); });
  EXPECT_EQ(planConversion(acc, quad, shape), QuadShuffle);
  const auto warp = edited(acc, [](FragmentLayout &l) { std::swap(l.reg[1], l.lane[4]); });
  EXPECT_EQ(planConversion(acc, warp, shape), WarpShuffle);
  EXPECT_EQ(planConversion(acc, blocked(shape, 4, 4), shape),
            WarpShuffle); // 16 rows per warp in both
  EXPECT_EQ(planConversion(acc, mmaAccumulator(64, 64, {{1, 4}}), shape), Shared);
  EXPECT_EQ(planConversion(acc, wgmmaAccumulator(64, 64, {{1, 2}}), shape), Shared); // other warps
  EXPECT_EQ(planConversion(replicated(shape, 4), acc, shape),
            QuadShuffle); // the register differs by lane
  EXPECT_EQ(planConversion(acc, replicated(shape, 4), shape), Shared);
}

TEST(Conversion, PaddingDoesNotCount) {
  // The second repeat of 16 columns is all padding for a tile of 8.
  const auto narrow = mmaAccumulator(16, 8, {}), wide = mmaAccumulator(16, 16, {});
  EXPECT_EQ(planConversion(narrow, wide, {16, 8}), ConversionKind::RegisterPermutation);
  EXPECT_EQ(*registerPermutation(narrow, wide, {16, 8}),
            (llvm::SmallVector<int64_t>{0, 1, 2, 3, -1, -1, -1, -1}));
  EXPECT_EQ(planConversion(wide, narrow, {16, 8}), ConversionKind::RegisterPermutation);
  EXPECT_EQ(planConversion(narrow, wide, {16, 16}),
            ConversionKind::Shared); // `from` does not cover the tile
}

TEST(Conversion, RowsOfTheSameWarpsNeedNothing) {
  // Four-warp slices written in two ways: warpgroup bits, or mma.sync's digit over four warps.
  const auto wgmmaRows = wgmmaAccumulator(64, 64, {}).slice(1),
             mmaRows = mmaAccumulator(64, 32, {{0, 4}}).slice(1);
  EXPECT_NE(wgmmaRows, mmaRows);
  EXPECT_EQ(planConversion(wgmmaRows, mmaRows, {64}), ConversionKind::None);
}

TEST(Conversion, RegisterPermutationIsRight) {
  const auto acc = wgmmaAccumulator(128, 24, {});
  const auto other = edited(acc, [](FragmentLayout &l) {
    std::swap(l.reg[0], l.reg[1]);
    std::swap(l.repeat[0], l.repeat[1]);
  });
  const auto table = registerPermutation(acc, other, {128, 24});
  ASSERT_TRUE(table.has_value());
  forEachHolder(other, [&](int64_t warp, int64_t lane, int64_t reg) {
    ASSERT_EQ(other.coords(warp, lane, reg), acc.coords(warp, lane, (*table)[reg]));
  });
  EXPECT_FALSE(registerPermutation(acc, blocked({128, 24}, 2, 4), {128, 24}).has_value());
}

TEST(Conversion, PlannerAgreesWithSearch) {
  for (const auto &shape : {llvm::SmallVector<int64_t>{64, 32}, {16, 8}, {50, 20}, {3, 130}}) {
    const int64_t m = shape[0], n = shape[1];
    std::vector<FragmentLayout> layouts{wgmmaAccumulator(m, n, {}),
                                        mmaAccumulator(m, n, {{0, 4}}),
                                        mmaAccumulator(m, n, {{1, 4}}),
                                        mmaAccumulator(m, n, {{-1, 4}}),
                                        mmaAccumulator(m, n, {{0, 2}, {1, 2}}),
                                        blocked(shape, 1, 4),
                                        blocked(shape, 2, 4),
                                        blocked(shape, 4, 4),
                                        blocked(shape, 8, 4),
                                        replicated(shape, 4),
                                        withRegisterAxis(blocked({m}, 1, 4), n),
                                        withRegisterAxis(wgmmaAccumulator(m, 8, {}).slice(1), n)};
    for (size_t i = 0, count = layouts.size(); i < count; ++i)
      if (layouts[i].reg.size() == 2)
        layouts.push_back(
            edited(layouts[i], [](FragmentLayout &l) { std::swap(l.reg[1], l.lane[1]); }));
    for (const auto &from : layouts)
      for (const auto &to : layouts)
        ASSERT_EQ(planConversion(from, to, shape), searchKind(from, to, shape));
  }
}

} // namespace

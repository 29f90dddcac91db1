//===- SharedLayoutTest.cpp - offsets, TMA's pattern, banks ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/SharedLayout.h"
#include "LayoutProperties.h"
#include <set>
#include <vector>

using namespace tilec;

namespace {

llvm::SmallVector<SharedLayout> tiles() {
  llvm::SmallVector<SharedLayout> result;
  for (int64_t swizzle : {0, 32, 64, 128})
    for (int64_t elementBytes : {1, 2, 4})
      for (const auto &shape : {llvm::SmallVector<int64_t>{64, 64},
                                {16, 128},
                                {176, 64},
                                {8, 256},
                                {24, 80},
                                {7, 96},
                                {3, 8, 128},
                                {128},
                                {5, 100}})
        result.push_back({shape, elementBytes, swizzle});
  return result;
}

TEST(SharedLayout, OffsetIsBijectiveAndInside) {
  for (const SharedLayout &tile : tiles()) {
    std::set<int64_t> seen;
    forEachElement(tile.shape, [&](const Coord &c) {
      const int64_t offset = tile.swizzledOffset(c);
      ASSERT_GE(offset, 0);
      ASSERT_LE(offset + tile.elementBytes, tile.bytes());
      ASSERT_EQ(offset % tile.elementBytes, 0);
      ASSERT_TRUE(seen.insert(offset).second);
    });
  }
}

TEST(SharedLayout, ChunksOfSixteenBytesStayTogether) {
  for (const SharedLayout &tile : tiles()) {
    if (tile.rowBytes() % 16 != 0)
      continue;
    forEachElement(tile.shape, [&](const Coord &c) {
      Coord first = c;
      first.back() -= c.back() % (16 / tile.elementBytes);
      ASSERT_EQ(tile.swizzledOffset(first) % 16, 0);
      ASSERT_EQ(tile.swizzledOffset(c) - tile.swizzledOffset(first),
                (c.back() - first.back()) * tile.elementBytes);
    });
  }
}

/// TMA writes a box of one slab row by row and xors bits 4.. of the shared address with bits 7.. .
TEST(SharedLayout, OffsetIsWhatTmaWrites) {
  for (const SharedLayout &tile : tiles()) {
    if (tile.swizzle == 0 || !tile.matchesTma())
      continue;
    forEachElement(tile.shape, [&](const Coord &c) {
      int64_t row = 0;
      for (size_t axis = 0; axis + 1 < c.size(); ++axis)
        row = row * tile.shape[axis] + c[axis];
      const int64_t column = c.back() * tile.elementBytes, slab = column / tile.swizzle;
      const int64_t address = slab * tile.slabBytes() + row * tile.swizzle + column % tile.swizzle;
      const int64_t mask = tile.swizzle / 16 - 1;
      ASSERT_EQ(tile.swizzledOffset(c), address ^ ((address >> 7) & mask) << 4);
    });
  }
}

TEST(SharedLayout, MatchesTma) {
  EXPECT_TRUE((SharedLayout{{7, 64}, 2, 128}.matchesTma())); // one slab
  EXPECT_FALSE(
      (SharedLayout{{7, 128}, 2, 128}.matchesTma())); // the second slab starts inside the pattern
  EXPECT_TRUE((SharedLayout{{8, 128}, 2, 128}.matchesTma()));
  EXPECT_TRUE((SharedLayout{{7, 8}, 2, 0}.matchesTma()));
  EXPECT_FALSE((SharedLayout{{7, 7}, 2, 0}.matchesTma()));
}

/// The eight row addresses of an ldmatrix 8x8 block fall on different banks.
TEST(SharedLayout, LdmatrixHasNoBankConflicts) {
  for (int64_t swizzle : {32, 64, 128}) {
    const SharedLayout tile{{64, 128}, 2, swizzle};
    for (int64_t row = 0; row < 64; row += 8)
      for (int64_t column = 0; column < 128; column += 8) {
        std::set<int64_t> banks;
        for (int64_t r = 0; r < 8; ++r)
          banks.insert(tile.swizzledOffset({row + r, column}) / 16 % 8);
        ASSERT_EQ(banks.size(), 8u);
      }
  }
}

TEST(SharedLayout, WidestSwizzle) {
  EXPECT_EQ(widestSwizzle(64, 2), 128);
  EXPECT_EQ(widestSwizzle(80, 2), 32);
  EXPECT_EQ(widestSwizzle(96, 2), 64);
  EXPECT_EQ(widestSwizzle(24, 2), 0);
  EXPECT_EQ(widestSwizzle(128, 1), 128);
}

TEST(SharedLayout, KnownOffsets) {
  const SharedLayout tile{{16, 128}, 2, 128};
  EXPECT_EQ(tile.swizzledOffset({0, 0}), 0);
  EXPECT_EQ(tile.swizzledOffset({1, 0}), 128 + 16);
  EXPECT_EQ(tile.swizzledOffset({2, 8}), 256 + 48);
  EXPECT_EQ(tile.swizzledOffset({0, 64}), 2048);
  EXPECT_EQ((SharedLayout{{16, 32}, 2, 64}.swizzledOffset({2, 0})), 128 + 16);
  EXPECT_EQ((SharedLayout{{16, 16}, 2, 32}.swizzledOffset({4, 0})), 128 + 16);
}

} // namespace

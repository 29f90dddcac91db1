//===- ConstructorsTest.cpp - layouts against the instructions' definitions -===//
// SPDX-License-Identifier: Apache-2.0
#include "LayoutProperties.h"

using namespace tilec;

namespace {

Coord at(int64_t row, int64_t column) { return {row, column}; }

TEST(Wgmma, AccumulatorMatchesPtxElementByElement) {
  for (int64_t n = 8; n <= 256; n += 8) {
    const auto layout = wgmmaAccumulator(64, n, {});
    ASSERT_EQ(layout.numRegs(), n / 2);
    ASSERT_EQ(layout.numWarps(), 4);
    ASSERT_EQ(layout.coverage(), at(64, n));
    forEachHolder(layout, [&](int64_t warp, int64_t lane, int64_t r) {
      const int64_t row = 16 * warp + lane / 4 + 8 * (r / 2 % 2);
      const int64_t column = 8 * (r / 4) + 2 * (lane % 4) + r % 2;
      ASSERT_EQ(layout.coords(warp, lane, r), at(row, column));
    });
  }
}

TEST(Wgmma, WarpgroupsOwnRuns) {
  const auto rows = wgmmaAccumulator(192, 80, {{0, 3}});
  EXPECT_EQ(rows.numWarps(), 12);
  for (int64_t group = 0; group < 3; ++group)
    EXPECT_EQ(rows.coords(4 * group, 0, 0), at(64 * group, 0));
  const auto repeated = wgmmaAccumulator(256, 80, {{0, 2}});
  EXPECT_EQ(repeated.coords(4, 0, 0), at(128, 0));
  EXPECT_EQ(repeated.coords(4, 0, 40),
            at(192, 0)); // the second m64 instruction's registers follow the first's
  const auto columns = wgmmaAccumulator(64, 48, {{1, 3}});
  EXPECT_EQ(columns.coords(8, 0, 0), at(0, 32));
}

/// The four 32-bit registers (four elements along K each) of an m64k32 A operand, PTX ISA.
TEST(Wgmma, Operand8MatchesPtxElementByElement) {
  const auto p = wgmmaOperand8(128, 96, {{0, 2}});
  ASSERT_EQ(p.coverage(), at(128, 96));
  ASSERT_EQ(p.numWarps(), 8);
  ASSERT_FALSE(p.verify());
  for (int64_t step = 0; step < 3; ++step)
    for (int64_t warp = 0; warp < 8; ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t a = 0; a < 4; ++a)
          for (int64_t byte = 0; byte < 4; ++byte) {
            const int64_t row = 16 * warp + lane / 4 + 8 * (a % 2);
            const int64_t k = 32 * step + 4 * (lane % 4) + 16 * (a / 2) + byte;
            ASSERT_EQ(p.coords(warp, lane, 16 * step + 4 * a + byte), at(row, k));
          }
  const auto rows = mmaOperand8(48, 40, {});
  EXPECT_EQ(rows.coverage(), at(48, 64));
  EXPECT_EQ(rows.coords(0, 5, 2 * 16 + 4 + 3), at(16 + 8 + 1, 4 + 3)); // behind both steps of K
  // What an accumulator rounded to 8 bits has to go through: the four lanes of a quad.
  const auto acc = wgmmaAccumulator(64, 64, {});
  EXPECT_EQ(planConversion(acc, wgmmaOperand8(64, 64, {}), {64, 64}), ConversionKind::QuadShuffle);
}

/// The four 32-bit registers (pairs of elements along K) of an m64k16 A operand, PTX ISA.
TEST(Wgmma, AccumulatorIsTheAOperand) {
  const auto p = wgmmaAccumulator(64, 176, {});
  for (int64_t step = 0; step < 176 / 16; ++step)
    for (int64_t warp = 0; warp < 4; ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t a = 0; a < 4; ++a)
          for (int64_t half = 0; half < 2; ++half) {
            const int64_t row = 16 * warp + lane / 4 + 8 * (a % 2);
            const int64_t k = 16 * step + 2 * (lane % 4) + 8 * (a / 2) + half;
            ASSERT_EQ(p.coords(warp, lane, 8 * step + 2 * a + half), at(row, k));
          }
}

TEST(Mma, AccumulatorAndAOperandMatchPtx) {
  const auto layout = mmaAccumulator(32, 24, {});
  ASSERT_EQ(layout.numRegs(), 2 * 3 * 4);
  forEachHolder(layout, [&](int64_t, int64_t lane, int64_t r) {
    const int64_t inTile = r % 4, tile = r / 4;
    const int64_t row = 16 * (tile / 3) + lane / 4 + 8 * (inTile / 2);
    const int64_t column = 8 * (tile % 3) + 2 * (lane % 4) + inTile % 2;
    ASSERT_EQ(layout.coords(0, lane, r), at(row, column));
  });
  EXPECT_EQ(mmaAccumulator(8, 8, {}).coverage(), at(16, 8));
}

TEST(Blocked, Coalesces) {
  const auto layout = blocked({64, 128}, 8, 4); // 16 lanes span a row of 128
  EXPECT_EQ(layout.coords(0, 1, 0), at(0, 8));
  EXPECT_EQ(layout.coords(0, 16, 0), at(1, 0));
  EXPECT_EQ(layout.coords(1, 0, 0), at(16, 0));
  EXPECT_EQ(layout.numRegs(), 64);
}

TEST(Blocked, FillsSmallTilesWithCopies) {
  const auto layout = blocked({2, 3}, 1, 8); // 2 x 4 lanes
  EXPECT_EQ(layout.numRegs(), 1);
  EXPECT_EQ(layout.coverage(), at(2, 4));
  EXPECT_EQ(layout.warps, (llvm::SmallVector<Digit>{{-1, 8}}));
}

TEST(Blocked, UsesEveryWarpThatHelps) {
  EXPECT_EQ(blocked({6, 32}, 1, 4).warps, (llvm::SmallVector<Digit>{{0, 4}}));
  EXPECT_EQ(blocked({2, 64}, 1, 4).warps, (llvm::SmallVector<Digit>{{0, 2}, {1, 2}}));
  EXPECT_EQ(blocked({4, 32}, 1, 7).warps, (llvm::SmallVector<Digit>{{0, 7}}));
  EXPECT_EQ(blocked({1, 32}, 1, 7).warps, (llvm::SmallVector<Digit>{{-1, 7}}));
}

TEST(Blocked, EveryExtentAndWarpCount) {
  for (int64_t extent = 1; extent <= 260; ++extent)
    for (int64_t warps = 1; warps <= 32; ++warps)
      for (const auto &shape : {llvm::SmallVector<int64_t>{extent},
                                {extent, 3},
                                {5, extent},
                                {2, extent, 4},
                                {extent, 1, 2, 7}}) {
        SCOPED_TRACE(testing::Message()
                     << "extent " << extent << " warps " << warps << " rank " << shape.size());
        const int64_t vector = int64_t(1) << (extent + warps) % 4;
        const auto layout = blocked(shape, vector, warps);
        ASSERT_EQ(layout.numWarps(), warps);
        ASSERT_GE(vector, layout.contiguous(layout.rank - 1) % vector);
        expectWellFormed(layout, shape);
        if ((extent + warps) % 37 == 0)
          expectAll(layout, shape);
        if (HasFatalFailure())
          return;
      }
}

TEST(Mma, EveryExtentAndWarpCount) {
  for (int64_t extent = 1; extent <= 260; ++extent)
    for (int64_t warps = 1; warps <= 32; ++warps) {
      SCOPED_TRACE(testing::Message() << "extent " << extent << " warps " << warps);
      expectWellFormed(mmaAccumulator(extent, 24, {{0, warps}}), {extent, 24});
      expectWellFormed(mmaAccumulator(16, extent, {{1, warps}}), {16, extent});
      if (warps % 4 == 0) {
        expectWellFormed(wgmmaAccumulator(extent, 80, {{0, warps / 4}}), {extent, 80});
        expectWellFormed(wgmmaAccumulator(128, extent, {{1, warps / 4}}), {128, extent});
      }
      if ((extent + warps) % 29 == 0)
        expectAll(mmaAccumulator(16, extent, {{1, warps}}), {16, extent});
      if (HasFatalFailure())
        return;
    }
}

} // namespace

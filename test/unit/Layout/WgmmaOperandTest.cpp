//===- WgmmaOperandTest.cpp - descriptors against a model of the reader ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The model reads a matrix as the PTX ISA defines the canonical layouts, in 16-byte units T before
// the address bits are xored (n, k count units along MN and core-matrix rows or units along K):
//   K-major  none: ((8,n),2):((1,SBO),LBO)       swizzled, W bytes: ((8,n),2):((W/16,SBO),1)
//   MN-major none: ((1,n),(8,k)):((-,SBO),(1,LBO))  swizzled: ((W/16,n),(8,k)):((1,LBO),(W/16,SBO))
//===----------------------------------------------------------------------===//
#include "LayoutProperties.h"
#include "tilec/Layout/SharedLayout.h"
#include <vector>

using namespace tilec;

namespace {

struct Fields {
  int64_t swizzle, leading, stride; // bytes
};

Fields decode(uint64_t descriptor) {
  const int64_t widths[] = {0, 128, 64, 32};
  return {widths[descriptor >> 62], static_cast<int64_t>(descriptor >> 16 & 0x3fff) * 16,
          static_cast<int64_t>(descriptor >> 32 & 0x3fff) * 16};
}

/// Address that wgmma reads for element (mn, k) of one instruction whose descriptor starts at
/// `start`.
int64_t readAddress(Fields d, int64_t elementBytes, bool mnMajor, int64_t start, int64_t mn,
                    int64_t k) {
  const int64_t width = d.swizzle == 0 ? 16 : d.swizzle;
  int64_t address = start;
  if (mnMajor) {
    const int64_t bytes = mn * elementBytes;
    const int64_t acrossSlabs = d.swizzle == 0 ? d.stride : d.leading,
                  acrossRows = d.swizzle == 0 ? d.leading : d.stride;
    address += bytes % width + bytes / width * acrossSlabs + k % 8 * width + k / 8 * acrossRows;
  } else {
    const int64_t bytes = k * elementBytes;
    address += mn % 8 * width + mn / 8 * d.stride + bytes % 16 +
               bytes / 16 * (d.swizzle == 0 ? d.leading : 16);
  }
  if (d.swizzle != 0)
    address ^= (address >> 7 & (d.swizzle / 16 - 1)) << 4;
  return address;
}

/// Every instruction that a gemm issues reads the elements that plain indexing gives.
void expectReads(const SharedLayout &tile, bool mnMajor, int64_t blockMn) {
  SCOPED_TRACE(testing::Message() << tile.shape[0] << "x" << tile.shape.back() << " bytes "
                                  << tile.elementBytes << " swizzle " << tile.swizzle << " mnMajor "
                                  << mnMajor);
  std::string why;
  const auto operand = wgmmaOperand(tile, mnMajor, &why);
  ASSERT_TRUE(operand.has_value()) << why;
  const Fields fields = decode(operand->descriptor);
  ASSERT_EQ(fields.swizzle, tile.swizzle);
  const int64_t mnExtent = mnMajor ? tile.shape[1] : tile.shape[0],
                kExtent = mnMajor ? tile.shape[0] : tile.shape[1];
  const int64_t kPerStep = 32 / tile.elementBytes;
  for (int64_t step = 0; step < kExtent / kPerStep; ++step) {
    const int64_t inSlab = step % operand->kStepsPerSlab, slab = step / operand->kStepsPerSlab;
    ASSERT_EQ(wgmmaStart(tile, mnMajor, step, 0),
              slab * tile.slabBytes() + inSlab * operand->kStepBytes);
    for (int64_t block = 0; block < mnExtent; block += blockMn)
      for (int64_t mn = 0; mn < blockMn; ++mn)
        for (int64_t k = 0; k < kPerStep; ++k) {
          const int64_t start = wgmmaStart(tile, mnMajor, step, block);
          ASSERT_EQ(start % 16, 0);
          const int64_t row = block + mn, column = step * kPerStep + k;
          ASSERT_EQ(readAddress(fields, tile.elementBytes, mnMajor, start, mn, k),
                    mnMajor ? tile.swizzledOffset({column, row})
                            : tile.swizzledOffset({row, column}));
        }
  }
}

TEST(WgmmaOperand, KMajor) {
  for (int64_t swizzle : {32, 64, 128})
    for (int64_t elementBytes : {1, 2, 4})
      for (int64_t rows : {8, 24, 64, 80, 128, 176, 192, 256})
        for (int64_t kBytes : {32, 64, 96, 128, 256, 384}) {
          const SharedLayout tile{{rows, kBytes / elementBytes}, elementBytes, swizzle};
          expectReads(tile, /*mnMajor=*/false, rows);
          if (rows % 64 == 0)
            expectReads(tile, /*mnMajor=*/false, 64);
        }
}

TEST(WgmmaOperand, MnMajor) {
  for (int64_t swizzle : {32, 64, 128})
    for (int64_t k : {16, 48, 64, 128, 176})
      for (int64_t mn : {8, 24, 64, 80, 128, 192, 256}) {
        const SharedLayout tile{{k, mn}, 2, swizzle};
        expectReads(tile, /*mnMajor=*/true, mn);
        if (mn % 64 == 0)
          expectReads(tile, /*mnMajor=*/true, 64);
      }
}

TEST(WgmmaOperand, MnMajorPlainOnlyEightWide) { expectReads({{64, 8}, 2, 0}, /*mnMajor=*/true, 8); }

TEST(WgmmaOperand, BatchIsAStart) {
  const SharedLayout batch{{3, 64, 64}, 2, 128}, one{{64, 64}, 2, 128};
  EXPECT_EQ(wgmmaOperand(batch, false)->descriptor, wgmmaOperand(one, false)->descriptor);
  EXPECT_EQ(wgmmaStart(batch, false, 1, 2 * 64), batch.swizzledOffset({2, 0, 16}));
  EXPECT_EQ(wgmmaStart(batch, true, 4 + 1, 0), batch.swizzledOffset({1, 16, 0}));
}

/// Every matrix of a batch, as an instruction reads it: [g, n, k], and [g, k, n] if `mnMajor`.
void expectReadsOfEach(const SharedLayout &tile, bool mnMajor) {
  std::string why;
  const auto operand = wgmmaOperand(tile, mnMajor, &why);
  ASSERT_TRUE(operand.has_value()) << why;
  const Fields fields = decode(operand->descriptor);
  const int64_t n = tile.shape[mnMajor ? 2 : 1], k = tile.shape[mnMajor ? 1 : 2];
  const int64_t perStep = 32 / tile.elementBytes;
  for (int64_t g = 0; g < tile.shape[0]; ++g)
    for (int64_t step = 0; step < k / perStep; ++step) {
      const int64_t start = g * wgmmaMatrix(tile) + wgmmaStart(tile, mnMajor, step, 0);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = step * perStep; j < (step + 1) * perStep; ++j)
          ASSERT_EQ(readAddress(fields, tile.elementBytes, mnMajor, start, i, j % perStep),
                    mnMajor ? tile.swizzledOffset({g, j, i}) : tile.swizzledOffset({g, i, j}));
    }
}

TEST(WgmmaOperand, EachMatrixOfABatch) {
  for (int64_t swizzle : {32, 64, 128})
    for (int64_t groups : {1, 2, 3})
      for (int64_t extent : {16, 48, 64, 128}) {
        expectReadsOfEach({{groups, extent, 64}, 2, swizzle}, /*mnMajor=*/false);
        expectReadsOfEach({{groups, extent + 8, 128}, 1, swizzle}, /*mnMajor=*/false);
        expectReadsOfEach({{groups, extent, 192}, 2, swizzle}, /*mnMajor=*/true);
      }
  expectReadsOfEach({{2, 32, 8}, 2, 0}, /*mnMajor=*/true);
}

/// The two descriptors and steps that ran on a GPU: K as [176, 128] and V as [176, 128] read
/// transposed.
TEST(WgmmaOperand, DescriptorsThatRan) {
  const SharedLayout tile{{176, 128}, 2, 128};
  const auto k = wgmmaOperand(tile, false), v = wgmmaOperand(tile, true);
  EXPECT_EQ(k->descriptor, uint64_t(1) << 62 | uint64_t(64) << 32 | uint64_t(1) << 16);
  EXPECT_EQ(v->descriptor, uint64_t(1) << 62 | uint64_t(64) << 32 | uint64_t(176 * 128 >> 4) << 16);
  EXPECT_EQ(k->kStepBytes, 32);
  EXPECT_EQ(k->kStepsPerSlab, 4);
  EXPECT_EQ(v->kStepBytes, 2048);
}

std::string reason(const SharedLayout &tile, bool mnMajor) {
  std::string why;
  EXPECT_FALSE(wgmmaOperand(tile, mnMajor, &why).has_value());
  EXPECT_FALSE(wgmmaOperand(tile, mnMajor).has_value());
  return why;
}

TEST(WgmmaOperand, SaysWhatCannotBeDescribed) {
  EXPECT_EQ(reason({{64, 64}, 2, 0}, false),
            "a K-major wgmma operand needs a swizzle of 32, 64 or 128 bytes, found none");
  EXPECT_EQ(reason({{60, 64}, 2, 128}, false),
            "a K-major wgmma operand needs a multiple of 8 rows, found 60");
  EXPECT_EQ(reason({{64, 24}, 2, 32}, false),
            "a K-major wgmma operand needs a K of a multiple of 32 bytes, found 48");
  EXPECT_EQ(
      reason({{64, 64}, 1, 64}, true),
      "wgmma transposes only 16-bit operands, found 8-bit elements; store the tile with K last");
  EXPECT_EQ(reason({{40, 64}, 2, 128}, true),
            "an MN-major wgmma operand needs a K of a multiple of 16, found 40");
  EXPECT_EQ(reason({{64, 60}, 2, 32}, true),
            "an MN-major wgmma operand needs a width of a multiple of 8, found 60");
  EXPECT_EQ(reason({{64, 64}, 2, 0}, true),
            "an MN-major wgmma operand without a swizzle is 8 elements wide, found 64");
}

} // namespace

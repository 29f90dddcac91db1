//===- Launcher.cpp - a generated launcher, compiled and called -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "attend_row.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace tile;

namespace {
float seenScale;
bool seenFlag;
std::vector<int64_t> seenDims;
} // namespace

// in: words 0 to 3; default: 4, 5; scale: 6; flag: 7; n and splits: 8, 9.
extern "C" void attend_row__bf16(void **params, int64_t begin, int64_t end) {
  if (begin != 0)
    return;
  std::memcpy(&seenScale, params[6], sizeof seenScale);
  std::memcpy(&seenFlag, params[7], sizeof seenFlag);
  seenDims = {*static_cast<int64_t *>(params[8]), *static_cast<int64_t *>(params[9])};
}

TEST(Launcher, CallsTheHostFunction) {
  alignas(16) uint16_t in[4 * 64] = {};
  float out[4] = {};
  Status status =
      kernels::attend_row__bf16(Stream::host(), Tensor(in, DType::bf16, {4, 64}, Device::host),
                                Tensor(out, DType::f32, {4}, Device::host), 0.25f, true, 4);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(seenScale, 0.25f);
  EXPECT_TRUE(seenFlag);
  EXPECT_EQ(seenDims, (std::vector<int64_t>{4, 4}));
}

TEST(Launcher, ChecksAndNamesTheAuthorsFunction) {
  alignas(16) uint16_t in[4 * 64] = {};
  float out[4] = {};
  Status status =
      kernels::attend_row__bf16(Stream::host(), Tensor(in, DType::bf16, {4, 64}, Device::host),
                                Tensor(out, DType::f32, {3}, Device::host), 0.25f, true, 3);
  EXPECT_EQ(status.message(),
            "attend_row: argument 'default' dimension 0 (n): expected 4 as in 'in', found 3");
}

TEST(Launcher, ChecksGroups) {
  alignas(16) uint16_t in[4 * 64] = {};
  float out[4] = {};
  Status status =
      kernels::attend_row__bf16(Stream::host(), Tensor(in, DType::bf16, {4, 64}, Device::host),
                                Tensor(out, DType::f32, {4}, Device::host), 0.25f, true, 3);
  EXPECT_EQ(status.message(), "attend_row: 'n * 2': expected a multiple of splits = 3, found 8");
}

TEST(Launcher, CarriesTheImage) {
  const KernelInfo &info = kernels::attend_row__bf16_tables::info;
  EXPECT_EQ(std::memcmp(info.image, "# Makes attend_row.h", 20), 0);
  EXPECT_EQ(info.numWarps, 8);
  EXPECT_EQ(info.producerWarps, 4);
  EXPECT_EQ(info.sharedBytes, 1024);
  ASSERT_EQ(info.derived.size(), 2u);
  EXPECT_STREQ(info.derived[0], "reciprocal(splits)");
  EXPECT_STREQ(info.derived[1], "n * 2");
  EXPECT_TRUE(info.counter);
  ASSERT_EQ(info.maps.size(), 1u);
  EXPECT_EQ(info.maps[0].param, 0);
  EXPECT_EQ(info.maps[0].rank, 2);
  EXPECT_EQ(info.maps[0].box, (std::array<int, maxMapRank>{16, 64}));
  EXPECT_EQ(info.maps[0].swizzle, 128);
  EXPECT_STREQ(info.symbol, "attend_row__bf16");
}

//===- TensorMaps.cpp - tensors as TMA is told of them --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TensorMaps.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace tile;

namespace {
/// [batch, rows, 128]: boxes of 64 rows and one 128-byte slab.
constexpr MapInfo slabs = {.param = 0, .rank = 3, .box = {1, 64, 64}, .swizzle = 128};

void *address(uintptr_t value) { return reinterpret_cast<void *>(value); }

std::string problem(const MapInfo &map, const Tensor &tensor) {
  Result<TensorMapKey> key = describeTensor(map, tensor, "k");
  return key.ok() ? "" : key.message();
}
} // namespace

TEST(TensorMaps, InnermostFirstInBytes) {
  const int64_t shape[] = {2, 300, 128}, strides[] = {100000, 256, 1};
  Result<TensorMapKey> key =
      describeTensor(slabs, Tensor(address(4096), DType::bf16, shape, strides), "k");
  ASSERT_TRUE(key.ok()) << key.message();
  EXPECT_EQ(key->address, 4096u);
  EXPECT_EQ(key->rank, 3);
  EXPECT_EQ(key->extents, (std::array<uint64_t, maxMapRank>{128, 300, 2}));
  EXPECT_EQ(key->strides, (std::array<uint64_t, maxMapRank>{2, 512, 200000}));
  EXPECT_EQ(key->box, (std::array<uint32_t, maxMapRank>{64, 64, 1}));
  EXPECT_EQ(key->swizzle, 128);
}

// Any stride is legal where the extent is 1, TMA takes multiples of 16 bytes only.
TEST(TensorMaps, StrideOfExtentOne) {
  const int64_t shape[] = {1, 300, 128}, strides[] = {7, 256, 1};
  Result<TensorMapKey> key =
      describeTensor(slabs, Tensor(address(4096), DType::bf16, shape, strides), "k");
  ASSERT_TRUE(key.ok()) << key.message();
  EXPECT_EQ(key->strides[2] % 16, 0u);
}

TEST(TensorMaps, DifferentTensorsHaveDifferentKeys) {
  Tensor tensor(address(4096), DType::bf16, {2, 300, 128});
  TensorMapKey key = *describeTensor(slabs, tensor, "k");
  EXPECT_EQ(*describeTensor(slabs, tensor, "other name"), key);
  Tensor changed = tensor;
  changed.data = address(8192);
  EXPECT_NE(*describeTensor(slabs, changed, "k"), key);
  changed = tensor;
  changed.shape[1] = 299;
  EXPECT_NE(*describeTensor(slabs, changed, "k"), key);
  changed = tensor;
  changed.strides[0] += 8;
  EXPECT_NE(*describeTensor(slabs, changed, "k"), key);
  changed = tensor;
  changed.dtype = DType::f16;
  EXPECT_NE(*describeTensor(slabs, changed, "k"), key);
  MapInfo map = slabs;
  map.box[1] = 32;
  EXPECT_NE(*describeTensor(map, tensor, "k"), key);
}

TEST(TensorMaps, WhatTmaCannotReach) {
  const int64_t shape[] = {2, 300, 128};
  const int64_t odd[] = {100000, 130, 1}, far[] = {int64_t(1) << 40, 256, 1};
  EXPECT_EQ(problem(slabs, Tensor(address(4096), DType::bf16, shape, odd)),
            "argument 'k' dimension 1: expected a stride that is a multiple of 16 bytes and below "
            "2^40 for TMA, found 260 bytes");
  EXPECT_EQ(problem(slabs, Tensor(address(4096), DType::bf16, shape, far)),
            "argument 'k' dimension 0: expected a stride that is a multiple of 16 bytes and below "
            "2^40 for TMA, found 2199023255552 bytes");
  EXPECT_EQ(problem(slabs, Tensor(address(4104), DType::bf16, shape)),
            "argument 'k': expected an address that is a multiple of 16 bytes, found one that is 8 "
            "past");
  EXPECT_EQ(problem(slabs, Tensor(address(4096), DType::bf16, {2, int64_t(1) << 31, 128})),
            "argument 'k' dimension 1: expected at most 2147483391 elements for TMA, found "
            "2147483648");
}

namespace {
constexpr const char *extents[] = {"b", "n", "128"};
constexpr ParamInfo params[] = {{.name = "k",
                                 .kind = ParamInfo::Kind::tensor,
                                 .dtype = DType::bf16,
                                 .extents = extents,
                                 .aligned = true}};
constexpr MapInfo maps[] = {slabs};
constexpr KernelInfo info = {.symbol = "load", .source = "load", .params = params, .maps = maps};

class CudaTensorMaps : public testing::Test {
protected:
  void SetUp() override {
    if (Status status = cudaAvailable(); !status.ok())
      GTEST_SKIP() << status.message();
  }

  static std::string encode(TensorMaps &cache, const Tensor &tensor, TensorMap &map) {
    const Arg args[] = {tensor};
    std::vector<TensorMap> encoded;
    Status status = cache.encode(args, encoded);
    if (status.ok())
      map = encoded.at(0);
    return status.message();
  }
};
} // namespace

TEST_F(CudaTensorMaps, SameTensorSameMap) {
  Result<Buffer> buffer = Buffer::allocate(Device::cuda, 2 * 300 * 128 * 2);
  ASSERT_TRUE(buffer.ok());
  TensorMaps cache(info);
  TensorMap first, again, shorter;
  EXPECT_EQ(encode(cache, Tensor(buffer->data(), DType::bf16, {2, 300, 128}), first), "");
  EXPECT_EQ(encode(cache, Tensor(buffer->data(), DType::bf16, {2, 300, 128}), again), "");
  EXPECT_EQ(encode(cache, Tensor(buffer->data(), DType::bf16, {2, 299, 128}), shorter), "");
  EXPECT_EQ(std::memcmp(&first, &again, sizeof(first)), 0);
  EXPECT_NE(std::memcmp(&first, &shorter, sizeof(first)), 0);
}

TEST_F(CudaTensorMaps, EmptyTensorsAndRepeatedRows) {
  Result<Buffer> buffer = Buffer::allocate(Device::cuda, 300 * 128 * 2);
  ASSERT_TRUE(buffer.ok());
  TensorMaps cache(info);
  TensorMap map;
  EXPECT_EQ(encode(cache, Tensor(nullptr, DType::bf16, {2, 0, 128}), map), "");
  const int64_t shape[] = {2, 300, 128}, strides[] = {0, 128, 1};
  EXPECT_EQ(encode(cache, Tensor(buffer->data(), DType::bf16, shape, strides), map), "");
}

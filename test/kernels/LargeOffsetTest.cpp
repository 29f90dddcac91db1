//===- LargeOffsetTest.cpp - offsets past 2^31 elements -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "AttentionCase.h"
#include "SparseMemory.h"

using namespace tile::test;
using tile::Arg;
using tile::Device;
using tile::DType;
using tile::Stream;
using tile::Tensor;

namespace {
Stream streamOf(Device device) { return device == Device::host ? Stream::host() : Stream::cuda(); }

class LargeOffsetCopy : public KernelTest {};

// Four rows, 600,000,000 elements apart.
TEST_P(LargeOffsetCopy, FarRows) {
  const int64_t rows = 4, cols = 200, stride = 600'000'000;
  int64_t size = byteSize(variant().dtype());
  SparseMemory far(variant().device, ((rows - 1) * stride + cols) * size);
  if (!far.data())
    GTEST_SKIP() << "no address space for " << rows * stride * size << " bytes";
  std::vector<double> expected;
  for (int64_t row = 0; row < rows; ++row) {
    GuardedTensor values(variant().dtype(), {cols});
    values.setValues(integers(random, cols, -100, 100));
    far.write(row * stride * size, values);
    for (double value : values.values())
      expected.push_back(value);
  }
  const int64_t shape[] = {rows, cols}, strides[] = {stride, 1};
  Tensor x(far.data(), variant().dtype(), shape, strides, variant().device);
  GuardedTensor y(variant().dtype(), {rows, cols});
  EXPECT_OK(y.upload(variant().device));
  const Arg args[] = {x, y.on(variant().device)};
  tile::Launcher launcher(*variant().info);
  EXPECT_OK(launcher.launch(streamOf(variant().device), args));
  EXPECT_OK(streamOf(variant().device).synchronize());
  EXPECT_OK(y.download(variant().device));
  EXPECT_EQ(y.values(), expected);
}

TILE_INSTANTIATE(LargeOffsetCopy, "copy");

class LargeOffsetAttention : public KernelTest {};

// The second KV head lies more than 2^31 elements behind the first.
TEST_P(LargeOffsetAttention, FarHeads) {
  AttentionCall call(
      variant(),
      {.kvHeads = 2, .qLen = 3, .kvLen = 100, .lists = Lists::all, .memory = Memory::packed},
      random);
  Device where = variant().device;
  const int64_t stride = (int64_t{1} << 31) + 1024, dim = call.shape().headDim;
  int64_t size = byteSize(variant().dtype());
  SparseMemory far(where, (stride + 100 * dim) * size);
  if (!far.data())
    GTEST_SKIP() << "no address space for " << stride * size << " bytes";
  for (int64_t head = 0; head < 2; ++head) {
    GuardedTensor keys(variant().dtype(), {100, dim});
    for (int64_t i = 0; i < keys.elements(); ++i)
      keys.set(i, call.k.get(head * 100 * dim + i));
    far.write(head * stride * size, keys);
  }
  GuardedTensor *tensors[] = {&call.q,          &call.k, &call.v,  &call.blockCount,
                              &call.blockIndex, &call.o, &call.lse};
  std::vector<Tensor> views;
  for (GuardedTensor *tensor : tensors) {
    EXPECT_OK(tensor->upload(where));
    views.push_back(tensor->on(where));
  }
  views[1].data = far.data();
  views[1].strides[0] = 2 * stride;
  views[1].strides[1] = stride;
  std::vector<Arg> args(views.begin(), views.end());
  args.push_back(Arg::real(DType::f32, call.scale));
  EXPECT_OK(tile::Launcher(*variant().info).launch(streamOf(where), args));
  EXPECT_OK(streamOf(where).synchronize());
  EXPECT_OK(call.o.download(where));
  EXPECT_OK(call.lse.download(where));
  EXPECT_OK(call.check());
}

TILE_INSTANTIATE(LargeOffsetAttention, "block_sparse_forward");
} // namespace

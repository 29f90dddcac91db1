//===- LaunchErrorTest.cpp - wrong calls and what is said about them ------===//
// SPDX-License-Identifier: Apache-2.0

#include "AttentionCase.h"

#include <cmath>

using namespace tile::test;
using tile::Arg;
using tile::Device;
using tile::DType;
using tile::Stream;
using tile::Tensor;

namespace {
/// The arguments of a correct call, to be spoilt one at a time.
class LaunchErrors : public KernelTest {
protected:
  void SetUp() override {
    KernelTest::SetUp();
    if (IsSkipped())
      return;
    AttentionCase given = {.kvHeads = 2, .qLen = 100, .kvLen = 130, .memory = Memory::packed};
    call = std::make_unique<AttentionCall>(variant(), given, random);
    GuardedTensor *tensors[] = {&call->q,          &call->k, &call->v,  &call->blockCount,
                                &call->blockIndex, &call->o, &call->lse};
    for (int i = 0; i < 7; ++i) {
      ASSERT_TRUE(tensors[i]->upload(variant().device).ok());
      views[i] = tensors[i]->on(variant().device);
    }
  }

  /// The message of the call; empty on success.
  std::string message() {
    tile::Launcher launcher(*variant().info);
    Stream stream = variant().device == Device::host ? Stream::host() : Stream::cuda();
    std::vector<Arg> args(views, views + 7);
    args.push_back(Arg::real(DType::f32, call->scale));
    auto status = launcher.launch(stream, args);
    EXPECT_TRUE(stream.synchronize().ok());
    return status.message();
  }

  std::string blockM() const { return std::to_string(variant().config("block_m")); }
  std::string headDim() const { return std::to_string(variant().config("head_dim")); }

  std::unique_ptr<AttentionCall> call;
  Tensor views[7];
  Tensor &q = views[0], &k = views[1], &v = views[2], &blockCount = views[3],
         &blockIndex = views[4], &o = views[5], &lse = views[6];
};

#define EXPECT_MESSAGE(text) EXPECT_EQ(message(), "block_sparse_forward: " + std::string(text))

TEST_P(LaunchErrors, NoneInACorrectCall) { EXPECT_EQ(message(), ""); }

TEST_P(LaunchErrors, ElementType) {
  k.dtype = DType::f32;
  EXPECT_MESSAGE("argument 'k': expected " + std::string(name(q.dtype)) + ", found f32");
}

TEST_P(LaunchErrors, Rank) {
  q.rank = 3;
  EXPECT_MESSAGE("argument 'q': expected 4 dimensions [batch, heads, q_len, " + headDim() +
                 "], found 3 [1, 4, 100]");
}

TEST_P(LaunchErrors, ExtentOfAName) {
  v.shape[2] = 129;
  EXPECT_MESSAGE("argument 'v' dimension 2 (kv_len): expected 130 as in 'k', found 129");
}

TEST_P(LaunchErrors, FixedExtent) {
  q.shape[3] = 40;
  EXPECT_MESSAGE("argument 'q' dimension 3 (" + headDim() + "): expected " + headDim() +
                 ", found 40");
}

TEST_P(LaunchErrors, ExtentOfAnExpression) {
  int64_t blocks = blockCount.shape[2];
  blockCount.shape[2] = blocks + 1;
  EXPECT_MESSAGE("argument 'block_count' dimension 2 (ceildiv(q_len, " + blockM() +
                 ")): expected " + std::to_string(blocks) + " with q_len = 100, found " +
                 std::to_string(blocks + 1));
}

TEST_P(LaunchErrors, HeadsInUnequalGroups) {
  for (Tensor *tensor : {&q, &blockCount, &blockIndex, &o, &lse})
    tensor->shape[1] = 3;
  EXPECT_MESSAGE("argument 'q' dimension 1 (heads): expected a multiple of kv_heads = 2, found 3");
}

TEST_P(LaunchErrors, MisalignedPointer) {
  q.data = static_cast<char *>(q.data) + 2;
  EXPECT_MESSAGE("argument 'q': expected an address that is a multiple of 16 bytes, found one that "
                 "is 2 past");
}

TEST_P(LaunchErrors, MisalignedRows) {
  q.strides[2] += 1;
  EXPECT_MESSAGE("argument 'q' dimension 2 (q_len): expected a stride that is a multiple of 8 "
                 "elements (16 bytes), found " +
                 std::to_string(q.strides[2]));
}

TEST_P(LaunchErrors, StrideOfTheLastDimension) {
  lse.strides[2] = 2;
  EXPECT_MESSAGE("argument 'lse' dimension 2 (q_len): expected stride 1 in the last dimension, "
                 "found 2");
}

TEST_P(LaunchErrors, OutputWithStrideZero) {
  o.strides[2] = 0;
  EXPECT_MESSAGE("argument 'o' dimension 2 (q_len): expected a positive stride, since the kernel "
                 "writes the tensor, found 0");
}

TEST_P(LaunchErrors, NullPointer) {
  k.data = nullptr;
  EXPECT_MESSAGE("argument 'k': expected memory for " + std::to_string(k.elements()) +
                 " elements, found a null pointer");
}

TEST_P(LaunchErrors, OutputOverAnInput) {
  o.data = q.data;
  EXPECT_MESSAGE("argument 'o': expected memory of its own, since the kernel writes it, found an "
                 "overlap with 'q'");
}

TEST_P(LaunchErrors, MemoryOfAnotherDevice) {
  Device other = variant().device == Device::host ? Device::cuda : Device::host;
  q.device = other;
  EXPECT_MESSAGE("argument 'q': expected " + std::string(name(variant().device)) +
                 " memory, where the kernel runs, found " + name(other) + " memory");
}

TEST_P(LaunchErrors, ScaleNotPositive) {
  call->scale = -1;
  EXPECT_MESSAGE("argument 'scale': expected a positive value, found -1.000000");
  call->scale = std::nanf("");
  EXPECT_MESSAGE("argument 'scale': expected a positive value, found nan");
}

// What is refused is not run: the outputs stay as they were.
TEST_P(LaunchErrors, NothingIsWritten) {
  v.shape[2] = 129;
  EXPECT_NE(message(), "");
  EXPECT_OK(call->o.download(variant().device));
  EXPECT_OK(call->o.check(true));
}

TILE_INSTANTIATE(LaunchErrors, "block_sparse_forward");
} // namespace

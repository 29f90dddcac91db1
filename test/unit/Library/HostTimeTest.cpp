//===- HostTimeTest.cpp - what a call costs on the host -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls on CUDA tensors with a driver that does nothing (StandInDriver.cpp), in nanoseconds. The
// limits are for a slow and busy machine; docs/Kernels.md has what was measured.

#include "tile/Attention.h"
#include "tile/Lists.h"
#include "tile/Matrix.h"
#include "tile/Rows.h"
#include "tile/c_api.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <dlfcn.h>
#include <functional>

using namespace tile;

namespace {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif
constexpr double limit = sanitized ? 250000 : 25000; // nanoseconds

uint64_t count(const char *function) {
  // Whoever opens libcuda.so.1 from now on gets this one.
  static void *driver = dlopen(TILE_STAND_IN_DRIVER, RTLD_NOW);
  auto *counter = driver ? reinterpret_cast<uint64_t (*)()>(dlsym(driver, function)) : nullptr;
  return counter ? counter() : 0;
}

class HostTime : public testing::Test {
protected:
  void SetUp() override {
    (void)count("standInLaunches");
    ASSERT_TRUE(cudaAvailable().ok()) << cudaAvailable().message();
  }

  /// The median of many times of a few calls each; every call launches as many kernels.
  static void measure(const char *what, const std::function<bool()> &call, uint64_t launches = 1) {
    constexpr int batches = 1000, calls = 16;
    for (int i = 0; i < 100; ++i)
      ASSERT_TRUE(call()) << what << ": " << tile_last_error();
    uint64_t before = count("standInLaunches");
    std::vector<double> times(batches);
    for (double &time : times) {
      auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < calls; ++i)
        (void)call();
      auto end = std::chrono::steady_clock::now();
      time = std::chrono::duration<double, std::nano>(end - begin).count() / calls;
    }
    EXPECT_EQ(count("standInLaunches") - before, launches * batches * calls) << what;
    std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
    double median = times[batches / 2];
    std::printf("%-44s %6.0f ns\n", what, median);
    EXPECT_LT(median, limit) << what;
  }
};

/// Made-up addresses: nothing reads what is there.
void *address(int64_t number) { return reinterpret_cast<void *>((number + 1) << 32); }

Tensor cuda(int64_t number, DType dtype, std::initializer_list<int64_t> shape) {
  return Tensor(address(number), dtype, shape, Device::cuda);
}

/// A tensor as DLPack has it.
struct Exported {
  Tensor tensor;
  DLTensor dl = {};

  explicit Exported(const Tensor &from) : tensor(from) {
    dl.data = tensor.data;
    dl.device = {kDLCUDA, 0};
    dl.ndim = tensor.rank;
    dl.dtype = {tensor.dtype == DType::i32    ? uint8_t(kDLInt)
                : tensor.dtype == DType::bf16 ? uint8_t(kDLBfloat)
                                              : uint8_t(kDLFloat),
                static_cast<uint8_t>(byteSize(tensor.dtype) * 8), 1};
    dl.shape = tensor.shape.data();
    dl.strides = tensor.strides.data();
  }
  Exported(const Exported &) = delete;
  operator const DLTensor *() const { return &dl; }
};

TEST_F(HostTime, Softmax) {
  Tensor x = cuda(0, DType::f32, {4096, 4096}), y = cuda(1, DType::f32, {4096, 4096});
  Exported cx(x), cy(y);
  measure("softmax", [&] { return softmax(Stream::cuda(), x, y).ok(); });
  measure("tile_softmax", [&] { return tile_softmax(cx, cy, nullptr) == TILE_OK; });
}

TEST_F(HostTime, LayerNorm) {
  LayerNormTensors tensors = {cuda(0, DType::bf16, {4096, 4096}), cuda(1, DType::bf16, {4096}),
                              cuda(2, DType::bf16, {4096}), cuda(3, DType::bf16, {4096, 4096})};
  Exported x(tensors.x), weight(tensors.weight), bias(tensors.bias), y(tensors.y);
  tile_layer_norm_args args = {sizeof args, x, weight, bias, y, 1e-5f};
  measure("layerNorm", [&] { return layerNorm(Stream::cuda(), tensors).ok(); });
  measure("tile_layer_norm", [&] { return tile_layer_norm(&args, nullptr) == TILE_OK; });
}

TEST_F(HostTime, TopK) {
  Tensor x = cuda(0, DType::f32, {4096, 131072}), length = cuda(1, DType::i32, {4096});
  Tensor position = cuda(2, DType::i32, {4096, 2048}), value = cuda(3, DType::f32, {4096, 2048});
  Exported cx(x), cLength(length), cPosition(position), cValue(value);
  measure("topK", [&] { return topK(Stream::cuda(), x, length, position, value).ok(); });
  measure("tile_top_k",
          [&] { return tile_top_k(cx, cLength, cPosition, cValue, nullptr) == TILE_OK; });
}

TEST_F(HostTime, Matmul) {
  Tensor a = cuda(0, DType::bf16, {4096, 4096}), b = cuda(1, DType::bf16, {4096, 4096});
  Tensor c = cuda(2, DType::bf16, {4096, 4096});
  Exported ca(a), cb(b), cc(c);
  measure("matmul", [&] { return matmul(Stream::cuda(), a, b, c).ok(); });
  measure("tile_matmul", [&] { return tile_matmul(ca, cb, cc, 1, nullptr) == TILE_OK; });
}

TEST_F(HostTime, Attention) {
  AttentionTensors tensors = {
      cuda(0, DType::bf16, {2, 16, 4096, 128}), cuda(1, DType::bf16, {2, 16, 4096, 128}),
      cuda(2, DType::bf16, {2, 16, 4096, 128}), cuda(3, DType::bf16, {2, 16, 4096, 128}),
      cuda(4, DType::f32, {2, 16, 4096})};
  Exported q(tensors.q), k(tensors.k), v(tensors.v), o(tensors.o), lse(tensors.lse);
  measure("attention", [&] { return attention(Stream::cuda(), tensors, {.causal = true}).ok(); });
  measure("tile_attention",
          [&] { return tile_attention(q, k, v, o, lse, 1, 0, nullptr) == TILE_OK; });
}

TEST_F(HostTime, PairedBlocks) {
  BlockSparseTensors tensors = {
      cuda(0, DType::bf16, {1, 16, 4096, 128}), cuda(1, DType::bf16, {1, 16, 4096, 128}),
      cuda(2, DType::bf16, {1, 16, 4096, 128}), cuda(3, DType::i32, {1, 16, 64}),
      cuda(4, DType::i32, {1, 16, 64, 16}),     cuda(5, DType::bf16, {1, 16, 4096, 128}),
      cuda(6, DType::f32, {1, 16, 4096})};
  BlockSparseOptions options = {.queryBlock = 64, .keyBlock = 64};
  Result<int64_t> bytes = blockSparseAttentionWorkspace(tensors, options);
  ASSERT_TRUE(bytes.ok() && *bytes > 0) << bytes.message();
  Tensor workspace = cuda(7, DType::i8, {*bytes});
  measure(
      "blockSparseAttention with workspace",
      [&] { return blockSparseAttention(Stream::cuda(), tensors, options, workspace).ok(); }, 2);
}

/// Of `sets` sets of tensors one after the other: 1 is a loop over the same ones, 8 the layers of a
/// model whose maps are all kept, more than 64 are never found again.
class Lists : public HostTime, public testing::WithParamInterface<int> {
protected:
  BlockSparseTensors tensors = {
      cuda(0, DType::bf16, {2, 16, 4096, 128}), cuda(1, DType::bf16, {2, 16, 4096, 128}),
      cuda(2, DType::bf16, {2, 16, 4096, 128}), cuda(3, DType::i32, {2, 16, 32}),
      cuda(4, DType::i32, {2, 16, 32, 32}),     cuda(5, DType::bf16, {2, 16, 4096, 128}),
      cuda(6, DType::f32, {2, 16, 4096})};
  int64_t turn = 0;

  void *next(int64_t number) const { return address(number + 8 * (turn % GetParam())); }
};

TEST_P(Lists, BlockSparseAttention) {
  auto name = [&](const char *function) {
    return function + std::string(", tensors in turn: ") + std::to_string(GetParam());
  };
  measure(name("blockSparseAttention").c_str(), [&] {
    ++turn;
    tensors.q.data = next(0), tensors.k.data = next(1), tensors.v.data = next(2);
    return blockSparseAttention(Stream::cuda(), tensors).ok();
  });
  Exported q(tensors.q), k(tensors.k), v(tensors.v), blockCount(tensors.blockCount);
  Exported blockIndex(tensors.blockIndex), o(tensors.o), lse(tensors.lse);
  tile_block_sparse_attention_args args = {sizeof args, q,       k, v,   blockCount, blockIndex, o,
                                           lse,         nullptr, 0, 128, 128,        0};
  measure(name("tile_block_sparse_attention").c_str(), [&] {
    ++turn;
    q.dl.data = next(0), k.dl.data = next(1), v.dl.data = next(2);
    return tile_block_sparse_attention(&args, nullptr) == TILE_OK;
  });
}

/// Not about time: tensors that come again are not encoded again, others are, each by itself.
TEST_P(Lists, KeepsTensorMaps) {
  const int sets = GetParam();
  uint64_t maps = 0; // of one call
  for (int round = 0; round < 3; ++round)
    for (int set = 0; set < sets; ++set) {
      int64_t number = 100000 * sets + 8 * set; // not met by any other test
      tensors.q.data = address(number);
      tensors.k.data = address(number + 1);
      tensors.v.data = address(number + 2);
      uint64_t before = count("standInMaps");
      ASSERT_TRUE(blockSparseAttention(Stream::cuda(), tensors, {.causal = true}).ok());
      uint64_t made = count("standInMaps") - before;
      maps = maps ? maps : made;
      bool isKept = round > 0 && sets * maps <= 64;
      ASSERT_EQ(made, isKept ? 0 : maps) << "round " << round << ", set " << set;
      ASSERT_GE(maps, 3u);
    }
  // Those of the last call are there, however many came before.
  uint64_t before = count("standInMaps");
  ASSERT_TRUE(blockSparseAttention(Stream::cuda(), tensors, {.causal = true}).ok());
  EXPECT_EQ(count("standInMaps"), before);
}
INSTANTIATE_TEST_SUITE_P(HostTime, Lists, testing::Values(1, 8, 1000));
} // namespace

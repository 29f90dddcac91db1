//===- CudaItems.cpp - work items drawn from a counter on the GPU ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/KernelInfo.h"

#include <algorithm>
#include <cuda.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <vector>

using namespace tile;

namespace {
/// Each thread block adds 1 to done[item] of its items and leaves the counter's address in `used`.
constexpr char drawImage[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .b32 tile_item_counters[8];
.visible .entry draw(.param .u64 done, .param .u64 extent, .param .u64 used, .param .u64 one,
                     .param .u64 n, .param .u64 counter) {
  .reg .pred %p;
  .reg .b32 %item, %items, %ctas, %last, %r;
  .reg .b64 %done, %used, %counter, %d;
  mov.u32 %r, %tid.x;
  setp.ne.u32 %p, %r, 0;
  @%p ret;
  ld.param.u64 %done, [done];
  ld.param.u64 %used, [used];
  ld.param.u64 %counter, [counter];
  ld.param.u32 %items, [n];
  sub.u32 %last, %items, 1;
  mov.u32 %item, %ctaid.x;
  mov.u32 %ctas, %nctaid.x;
  st.global.u64 [%used], %counter;
work:
  mul.wide.u32 %d, %item, 4;
  add.u64 %d, %done, %d;
  atom.global.add.u32 %r, [%d], 1;
  setp.eq.u64 %p, %counter, 0;
  @%p bra turns;
  atom.global.inc.u32 %r, [%counter], %last;
  add.u32 %item, %ctas, %r;
  bra next;
turns:
  add.u32 %item, %item, %ctas;
next:
  setp.lt.u32 %p, %item, %items;
  @%p bra work;
  ret;
})";

constexpr const char *dims[] = {"n"};
constexpr const char *doneExtents[] = {"n"};
constexpr const char *usedExtents[] = {"1"};
constexpr const char *grid[] = {"min(n, 64)"};
constexpr auto tensorKind = ParamInfo::Kind::tensor;
constexpr ParamInfo params[] = {{.name = "done",
                                 .kind = tensorKind,
                                 .dtype = DType::i32,
                                 .access = Access::inout,
                                 .extents = doneExtents},
                                {.name = "used",
                                 .kind = tensorKind,
                                 .dtype = DType::i64,
                                 .access = Access::out,
                                 .extents = usedExtents}};
constexpr KernelInfo drawInfo = {.symbol = "draw",
                                 .source = "draw",
                                 .dims = dims,
                                 .params = params,
                                 .grid = grid,
                                 .counter = true,
                                 .numWarps = 1,
                                 .image = drawImage};

/// A function of the driver that the runtime has no use for.
template <class F> F *driverFunction(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  auto *function = reinterpret_cast<F *>(dlsym(library, name));
  EXPECT_NE(function, nullptr) << name;
  return function;
}
#define TILE_TEXT_OF(name) #name
#define TILE_TEXT(name) TILE_TEXT_OF(name)
#define TILE_CALL(name, ...)                                                                       \
  ASSERT_EQ(driverFunction<decltype(name)>(TILE_TEXT(name))(__VA_ARGS__), CUDA_SUCCESS)

class CudaItems : public testing::Test {
protected:
  static constexpr int64_t items = 1000;

  void SetUp() override {
    if (Status status = cudaAvailable(); !status.ok())
      GTEST_SKIP() << status.message();
    Result<Buffer> allocated = Buffer::allocate(Device::cuda, 4 * items + 8);
    ASSERT_TRUE(allocated.ok()) << allocated.message();
    buffer.emplace(*std::move(allocated));
    clear();
    for (CUstream &stream : streams)
      TILE_CALL(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
  }
  void TearDown() override {
    for (CUstream stream : streams)
      if (stream)
        TILE_CALL(cuStreamDestroy, stream);
  }

  void clear() {
    ASSERT_EQ(buffer->fill(0, 4 * items + 8).message(), "");
    // The streams below do not wait for the null stream.
    ASSERT_EQ(Stream::cuda().synchronize().message(), "");
  }
  Status launch(CUstream stream) {
    Tensor used(buffer->data(), DType::i64, {1});
    Tensor done(static_cast<char *>(buffer->data()) + 8, DType::i32, {items});
    const Arg args[] = {done, used};
    return launcher.launch(Stream::cuda(stream), args);
  }
  /// The counter of the last launch, after all of them.
  int64_t counter() {
    int64_t address = -1;
    EXPECT_EQ(buffer->download(&address, sizeof address).message(), "");
    return address;
  }
  /// Launches, waits, and expects each item to have been drawn once.
  int64_t run(CUstream stream) {
    clear();
    EXPECT_EQ(launch(stream).message(), "");
    return finish(stream);
  }
  int64_t finish(CUstream stream, int32_t times = 1) {
    EXPECT_EQ(Stream::cuda(stream).synchronize().message(), "");
    std::vector<int32_t> done(items);
    EXPECT_EQ(buffer->download(done.data(), 4 * items, 8).message(), "");
    EXPECT_EQ(std::count(done.begin(), done.end(), times), items);
    return counter();
  }

  Launcher launcher{drawInfo};
  std::optional<Buffer> buffer;
  CUstream streams[2] = {};
};
} // namespace

TEST_F(CudaItems, EveryStreamHasItsCounter) {
  int64_t first = run(streams[0]), second = run(streams[1]), null = run(nullptr);
  EXPECT_NE(first, 0);
  EXPECT_EQ(second, first + 4);
  EXPECT_EQ(null, first + 8);
  EXPECT_EQ(run(CU_STREAM_LEGACY), null);
  EXPECT_EQ(run(CU_STREAM_PER_THREAD), first + 12);
  EXPECT_EQ(run(streams[0]), first);
}

TEST_F(CudaItems, WithoutACounterItemsGoInTurns) {
  for (int used = 0; used < 8; ++used) {
    CUstream stream = nullptr;
    TILE_CALL(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
    EXPECT_NE(run(stream), 0);
    TILE_CALL(cuStreamDestroy, stream);
  }
  EXPECT_EQ(run(streams[0]), 0);
}

TEST_F(CudaItems, EveryCapturedLaunchHasItsCounter) {
  int64_t first = run(streams[0]);
  for (CUstreamCaptureMode mode :
       {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
        CU_STREAM_CAPTURE_MODE_RELAXED}) {
    clear();
    CUgraph graph = nullptr;
    CUgraphExec ready = nullptr;
    TILE_CALL(cuStreamBeginCapture, streams[0], mode);
    EXPECT_EQ(launch(streams[0]).message(), "");
    // What another stream does meanwhile does not disturb the capture.
    EXPECT_EQ(launch(streams[1]).message(), "");
    EXPECT_EQ(launch(streams[0]).message(), "");
    TILE_CALL(cuStreamEndCapture, streams[0], &graph);
    EXPECT_EQ(finish(streams[1]), first + 8);
    TILE_CALL(cuGraphInstantiate, &ready, graph, 0);
    TILE_CALL(cuGraphLaunch, ready, streams[0]);
    TILE_CALL(cuGraphLaunch, ready, streams[0]);
    finish(streams[0], /*times=*/5);
    TILE_CALL(cuGraphExecDestroy, ready);
    TILE_CALL(cuGraphDestroy, graph);
  }
  EXPECT_EQ(run(streams[0]), first);
}

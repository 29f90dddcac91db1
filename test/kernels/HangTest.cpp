//===- HangTest.cpp - many launches beside a busy neighbour ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernels with roles, launched ten thousand times each with loops of random length, while another
// stream keeps the GPU busy so that their warps start and stop at odd times. On a GPU only.

#include "CudaStreams.h"
#include "Harness.h"
#include "Launch.h"
#include "PreparedLoop.h"
#include "tile/kernels/all.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace tile::test;
using tile::Device;
using tile::DType;

namespace {
constexpr int launches = 10'000, calls = 16, perNeighbour = 40;
constexpr std::chrono::seconds limit(20);

/// A product of matrices that takes some microseconds on all multiprocessors.
class Neighbour {
public:
  Neighbour() : a(DType::bf16, {n, n}), b(DType::bf16, {n, n}), c(DType::bf16, {n, n}) {
    for (const tile::KernelInfo *kernel : tile::kernels::all())
      if (std::string(kernel->source) == "gemm" && kernel->params[0].dtype == DType::bf16)
        info = kernel;
    for (GuardedTensor *tensor : {&a, &b, &c}) {
      tensor->setValues(std::vector<double>(n * n, 1.0));
      EXPECT_OK(tensor->upload(Device::cuda));
      views.push_back(tensor->on(Device::cuda));
    }
  }
  tile::Status launch(tile::Stream stream) {
    return tile::test::launch(*info, stream, std::vector<tile::Arg>{views[0], views[1], views[2]},
                              0);
  }

private:
  static constexpr int64_t n = 1024;
  const tile::KernelInfo *info = nullptr;
  GuardedTensor a, b, c;
  std::deque<tile::Tensor> views;
};

class Hang : public KernelTest {
protected:
  /// Stages of the rings are 2: loops of no trip up to three rounds.
  LoopShape shape() {
    int64_t blockN = variant().config("block_n");
    LoopShape shape = {.heads = 1,
                       .qLen = pick(random, 1, 300),
                       .kvLen = pick(random, 0, 6 * blockN),
                       .headDim = variant().config("head_dim"),
                       .blockM = variant().config("block_m"),
                       .blockN = blockN};
    shape.trips = pick(random, 0, 6);
    shape.window = pick(random, 0, 4 * blockN);
    shape.sink = pick(random, 0, 3 * blockN);
    shape.causal = true;           // in the library's variants
    if (variant().info->counter) { // more work items than the GPU has multiprocessors, or fewer
      shape.heads = pick(random, 1, 300);
      shape.qLen = pick(random, 1, 5);
      shape.kvLen = pick(random, 0, 2 * blockN);
    }
    return shape;
  }
};

/// Waits as long as a sound kernel may take; a hung GPU ends the program, since nothing else would.
void waitFor(const CudaStreams &streams, const Variant &variant) {
  auto start = std::chrono::steady_clock::now();
  while (streams.isBusy(tile::Stream::cuda())) {
    if (std::chrono::steady_clock::now() - start > limit) {
      printf("%s: expected %d launches to end, they hang after %lld s\n", variant.info->symbol,
             launches, static_cast<long long>(limit.count()));
      fflush(stdout);
      std::_Exit(1);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

TEST_P(Hang, NeverBesideABusyNeighbour) {
  if (variant().device == Device::host)
    GTEST_SKIP() << "threads of a GPU only";
  static const CudaStreams streams;
  static const tile::Stream beside = streams.create();
  std::deque<PreparedLoop> prepared;
  for (int i = 0; i < calls; ++i)
    prepared.emplace_back(variant(), shape(), random);
  Neighbour neighbour;
  for (int i = 0; i < launches; ++i) {
    PreparedLoop &next = prepared[pick(random, 0, calls - 1)];
    ASSERT_TRUE(launch(*variant().info, tile::Stream::cuda(), next.args, 0).ok());
    if (i % perNeighbour == 0)
      ASSERT_TRUE(neighbour.launch(beside).ok());
    if (i % 1000 == 999)
      waitFor(streams, variant());
  }
  EXPECT_OK(beside.synchronize());
  for (PreparedLoop &each : prepared)
    EXPECT_OK(launch(*variant().info, tile::Stream::cuda(), each.args, 0));
  waitFor(streams, variant());
  for (PreparedLoop &each : prepared)
    EXPECT_OK(each.check());
}

/// One variant of each kernel with roles.
std::vector<Variant> withRoles() {
  std::vector<Variant> result;
  for (const char *kernel :
       {"capped_attention", "scaled_attention", "guarded_attention", "paged_attention",
        "sink_attention", "query_gradient", "grouped_attention", "pair_attention",
        "small_pages_attention", "item_attention"})
    for (const Variant &variant : variants(kernel))
      result.push_back(variant);
  for (const char *kernel : {"block_sparse_forward", "dense_forward"})
    for (const Variant &variant : variants(kernel))
      if (variant.dtype() == DType::bf16 && variant.config("causal") &&
          variant.config("head_dim") == 128 && variant.config("block_m") == 128 &&
          variant.config("block_n") == 128)
        result.push_back(variant);
  return result;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Hang);
INSTANTIATE_TEST_SUITE_P(Library, Hang, testing::ValuesIn(withRoles()), [](const auto &info) {
  return std::string(info.param.info->symbol) + "_" + tile::name(info.param.device);
});
} // namespace

//===- ItemsTest.cpp - loops in kernels that go through work items --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of LoopsTest.cpp with a persistent grid give the bits that a CTA for each item gives
// on the simple path: whoever draws which item, with fewer items than CTAs could be and with many
// times as many, so that everything that holds one or two items comes round again.
//===----------------------------------------------------------------------===//
#include "LoopCall.h"

#include "tilec/Dialect/SM/IR/SM.h"

using namespace tilec::test;
using ::tile::test::LoopCase;
using ::tile::test::LoopShape;
using ::tile::test::Values;

namespace {
constexpr int64_t block = 64;

/// Numbers drawn in the kernel's code: 1 where its items are drawn, else 0.
int drawsOf(LibraryKernel &kernel) {
  int draws = 0;
  kernel.module().walk(
      [&](mlir::sm::AtomicGlobalOp op) { draws += op.getKind() == mlir::sm::AtomicKind::Inc; });
  return draws;
}

/// Threads that copy rows do not tell each other what one of them drew, and copies under a
/// condition keep to the simple path.
bool takesTurns(const std::string &kernel) {
  return kernel == "gathered_attention" || kernel == "table_attention" ||
         kernel == "short_attention" || kernel == "guarded_attention";
}

/// Lists of up to `stages + 2` blocks, some of them empty; two query blocks in each head.
LoopShape shapeFor(const std::string &kernel, int64_t heads, int stages) {
  LoopShape shape = {.heads = heads, .qLen = 70, .headDim = 64, .blockM = block, .blockN = block};
  shape.kvLen = (stages + 2) * block - 20;
  shape.trips = stages + 1;
  shape.window = block + 7;
  shape.sink = block + 9;
  shape.causal = kernel == "block_sparse_forward";
  return shape;
}

/// How the grid is persistent (loops/Grid.h), and the stages of the rings.
using GridAndStages = std::pair<int, int>;

class Items : public testing::TestWithParam<std::tuple<Loop, GridAndStages>> {
protected:
  struct Launch {
    int64_t heads, smCount;
    uint64_t seed;
    bool hasCounter;
  };
  void check(LibraryKernel &reference, LibraryKernel &kernel, const Launch &launch, int stages) {
    SCOPED_TRACE(testing::Message()
                 << launch.heads << " heads, " << launch.smCount << " multiprocessors");
    std::string name = std::get<0>(GetParam()).kernel;
    std::mt19937_64 random(stages);
    LoopCase call(name, shapeFor(name, launch.heads, stages), random, Values::exact);
    auto expected = LoopCall(call.operands(), call.scalars()).run(reference);
    EXPECT_EQ(call.check(expected).message(), "");
    kernel.smCount = launch.smCount;
    kernel.hasCounter = launch.hasCounter;
    EXPECT_EQ(LoopCall(call.operands(), call.scalars()).run(kernel, launch.seed), expected);
  }
};

TEST_P(Items, GiveTheSameBitsWhoeverComputesThem) {
  const auto &[loop, gridAndStages] = GetParam();
  auto [items, stages] = gridAndStages;
  Config config = configOf(loop, 64, block, block, stages);
  LibraryKernel reference(loop.kernel, "bf16", config);
  config.push_back({"items", std::to_string(items)});
  LibraryKernel kernel(loop.kernel, "bf16", config, Path::scheduled);
  EXPECT_EQ(drawsOf(kernel), takesTurns(loop.kernel) ? 0 : 1);
  for (const Launch &launch :
       {Launch{1, 40, 1, true}, {4, 1, 2, true}, {4, 3, 3, true}, {4, 3, 4, false}})
    check(reference, kernel, launch, stages);
}

const Loop loops[] = {{"capped_attention"},  {"scaled_attention"},   {"guarded_attention"},
                      {"paged_attention"},   {"sink_attention"},     {"query_gradient"},
                      {"grouped_attention"}, {"gathered_attention"}, {"table_attention"},
                      {"short_attention"},   {"pair_attention"},     {"small_pages_attention"}};

INSTANTIATE_TEST_SUITE_P(Loops, Items,
                         testing::Combine(testing::ValuesIn(loops),
                                          testing::Values(GridAndStages(1, 1), GridAndStages(2, 2),
                                                          GridAndStages(1, 4))),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).kernel) + "_" +
                                  std::to_string(std::get<1>(info.param).second);
                         });
} // namespace

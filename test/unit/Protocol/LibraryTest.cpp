//===- LibraryTest.cpp - both proofs on every kernel of the library ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelIR.h"

#include "tilec/Protocol/Model.h"
#include "tilec/Protocol/Proof.h"

#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;

namespace {

class Library : public testing::TestWithParam<const char *> {};

void expectGood(const protocol::Extraction &kernel) {
  for (const protocol::Fault &fault : protocol::prove(kernel.program))
    ADD_FAILURE() << fault.message;
  protocol::ModelResult model = protocol::exploreAll(kernel.program);
  EXPECT_EQ(model.verdict, protocol::Verdict::Good) << model.message;
  EXPECT_GT(model.states, 100u);
  testing::Test::RecordProperty("states", std::to_string(model.states));
}

TEST_P(Library, IsFreeOfRacesAndDeadlocks) {
  KernelIR ir(GetParam());
  std::optional<protocol::Extraction> kernel = ir.extract();
  if (!kernel)
    GTEST_SKIP() << "takes the simple path: has no roles";
  expectGood(*kernel);
}

// The variants that CMake compiles into the library.
const char *const variants[] = {
#include "Variants.inc"
};
INSTANTIATE_TEST_SUITE_P(Variants, Library, testing::ValuesIn(variants),
                         [](const auto &info) { return std::string(info.param); });

/// The loops of test/kernels/loops, with every number of stages: they have roles, and a loop on
/// each side.
class Loops : public testing::TestWithParam<std::tuple<const char *, int>> {};

bool hasLoop(const std::vector<protocol::Step> &steps) {
  return llvm::any_of(steps, [](const protocol::Step &step) {
    return step.kind == protocol::Step::Kind::Loop || hasLoop(step.body) || hasLoop(step.otherwise);
  });
}

TEST_P(Loops, AreFreeOfRacesAndDeadlocks) {
  auto [name, stages] = GetParam();
  KernelIR ir(std::string(name) + "__bf16__head_dim64_block_m128_block_n64_stages" +
              std::to_string(stages));
  std::optional<protocol::Extraction> kernel = ir.extract();
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(hasLoop(kernel->program.producer) && hasLoop(kernel->program.consumer));
  expectGood(*kernel);
}

INSTANTIATE_TEST_SUITE_P(
    Stages, Loops,
    testing::Combine(testing::Values("capped_attention", "scaled_attention", "guarded_attention",
                                     "paged_attention", "sink_attention", "query_gradient",
                                     "gathered_attention", "table_attention", "short_attention",
                                     "grouped_attention", "pair_attention", "small_pages_attention",
                                     "item_attention"),
                     testing::Range(1, 5)),
    [](const auto &info) {
      return std::string(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
    });

/// Work items with two loops each, with four stages, and with queries of which two tiles have no
/// room.
TEST(Library, WorkItemsAreFreeOfRacesAndDeadlocks) {
  for (const char *symbol : {"sink_attention__bf16__head_dim64_block_m64_block_n64_stages2_items1",
                             "query_gradient__bf16__head_dim64_block_m64_block_n64_stages4_items2",
                             "item_attention__bf16__head_dim256_block_m128_block_n64_stages2"}) {
    SCOPED_TRACE(symbol);
    std::optional<protocol::Extraction> kernel = KernelIR(symbol).extract();
    ASSERT_TRUE(kernel);
    EXPECT_TRUE(protocol::hasItems(kernel->program));
    bool hasRoom = std::string(symbol).find("256") == std::string::npos;
    EXPECT_EQ(kernel->program.channels[0].stages, hasRoom ? 2 : 1);
    expectGood(*kernel);
  }
}

/// The kernels that the scheduled path is for take it.
TEST(Library, AttentionAndGemmHaveRoles) {
  for (const char *symbol :
       {"block_sparse_forward__bf16__head_dim128_block_m128_block_n128_stages2_causal1_value_dim0",
        "dense_forward__bf16__head_dim64_block_m192_block_n128_stages2_causal1",
        "paired_forward__bf16__head_dim128_block_m64_block_n64_stages2_causal0",
        "group_forward__bf16__head_dim128_block_m64_block_n64_stages2_causal0",
        "gemm__bf16__block_m128_block_n256_block_k64_stages4_transpose_b0_aligned1"})
    EXPECT_TRUE(KernelIR(symbol).extract().has_value()) << symbol;
}

} // namespace

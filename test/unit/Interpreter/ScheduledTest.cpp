//===- ScheduledTest.cpp - producer and consumers in the interpreter ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Attention.h"
#include "Gemm.h"

#include "tilec/Dialect/SM/IR/SM.h"

#include "gtest/gtest.h"

using namespace tilec::test;

namespace {

struct Variant {
  const char *name, *dtype;
  Config config;
};

/// The kernel has not taken the simple path.
bool isSplit(LibraryKernel &kernel) {
  bool result = false;
  kernel.module().walk([&](mlir::sm::TmaLoadOp) { result = true; });
  return result;
}

class Scheduled : public testing::TestWithParam<Variant> {};

/// Many orders of steps: a protocol that depends on luck shows.
TEST_P(Scheduled, AttentionAgreesInEveryOrder) {
  const auto &[name, dtype, config] = GetParam();
  LibraryKernel kernel("block_sparse_forward", dtype, config, Path::scheduled);
  EXPECT_TRUE(isSplit(kernel));
  for (uint64_t seed = 0; seed < 6; ++seed) {
    AttentionCall call(dtype, config, /*qLen=*/200 + 7 * seed, /*kvLen=*/300 - 5 * seed, seed);
    ASSERT_EQ(kernel.run(call.arguments(), seed), "") << "seed " << seed;
    ASSERT_EQ(call.check(), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, Scheduled,
    testing::Values(
        Variant{"d128", "bf16", {{"head_dim", "128"}, {"causal", "0"}}},
        Variant{"d128_causal", "bf16", {{"head_dim", "128"}, {"causal", "1"}}},
        Variant{"d64_f16", "f16", {{"head_dim", "64"}, {"causal", "1"}}},
        Variant{"d64_small", "bf16", {{"head_dim", "64"}, {"block_m", "64"}, {"block_n", "64"}}},
        Variant{"d256", "bf16", {{"head_dim", "256"}, {"block_m", "64"}, {"block_n", "64"}}},
        Variant{"d192_v128", "bf16", {{"head_dim", "192"}, {"value_dim", "128"}}}),
    [](const testing::TestParamInfo<Variant> &info) { return std::string(info.param.name); });

TEST(ScheduledGemm, AgreesWithTheReference) {
  for (auto [transposed, wide] : {std::pair{false, false}, {true, false}, {false, true}}) {
    LibraryKernel kernel("gemm", "bf16",
                         {{"transpose_b", transposed ? "1" : "0"},
                          {"block_n", wide ? "256" : "128"},
                          {"aligned", "1"}},
                         Path::scheduled);
    EXPECT_TRUE(isSplit(kernel));
    for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{128, 128, 64},
                           {200, 136, 456},
                           {136, 264, 64},
                           {100, 72, 40}}) {
      SCOPED_TRACE(testing::Message() << m << " " << n << " " << k);
      GemmCall call(tile::DType::bf16, m, n, k, transposed);
      EXPECT_EQ(kernel.run(call.arguments()), "");
      EXPECT_EQ(call.check(), "");
    }
  }
}

} // namespace

//===- AttentionTest.cpp - block-sparse attention in the interpreter ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Attention.h"

#include "gtest/gtest.h"

using namespace tilec::test;

namespace {

struct Variant {
  const char *name, *dtype;
  Config config;
};

class Attention : public testing::TestWithParam<Variant> {};

/// Ragged lengths, grouped heads, a list with entries that name no block, an empty list.
TEST_P(Attention, AgreesWithTheReference) {
  const auto &[name, dtype, config] = GetParam();
  LibraryKernel kernel("block_sparse_forward", dtype, config);
  for (uint64_t seed : {0, 1}) {
    AttentionCall call(dtype, config, /*qLen=*/200, /*kvLen=*/300, seed);
    ASSERT_EQ(kernel.run(call.arguments(), seed), "");
    EXPECT_EQ(call.check(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, Attention,
    testing::Values(
        Variant{"d64_mma",
                "bf16",
                {{"head_dim", "64"}, {"block_m", "16"}, {"block_n", "32"}, {"value_dim", "128"}}},
        Variant{"d128", "bf16", {{"head_dim", "128"}, {"causal", "0"}}},
        Variant{"d128_causal", "bf16", {{"head_dim", "128"}, {"causal", "1"}}},
        Variant{"d64_f16", "f16", {{"head_dim", "64"}, {"causal", "1"}}},
        Variant{"d64_small", "bf16", {{"head_dim", "64"}, {"block_m", "64"}, {"block_n", "64"}}},
        Variant{"d256", "bf16", {{"head_dim", "256"}, {"block_m", "64"}, {"block_n", "64"}}},
        Variant{"d192_v128", "bf16", {{"head_dim", "192"}, {"value_dim", "128"}}}),
    [](const testing::TestParamInfo<Variant> &info) { return std::string(info.param.name); });

} // namespace

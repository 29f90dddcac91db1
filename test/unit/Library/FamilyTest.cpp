//===- FamilyTest.cpp - which variant a call gets -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "host/Family.h"

#include "tile/kernels/all.h"

#include <gtest/gtest.h>

#include <set>

using namespace tile;
using ::kernels::Family;
using ::kernels::Fit;

namespace {
/// Who adds a kernel to the library adds a function of C++ and one of C, with their tests.
TEST(Library, EveryKernelHasAFunction) {
  std::set<std::string> found;
  for (const KernelInfo *info : tile::kernels::all())
    found.insert(info->source);
  EXPECT_EQ(found, (std::set<std::string>{"axpy",           "block_lists",   "block_sparse_forward",
                                          "copy",           "dense_forward", "gathered_gemm",
                                          "gemm",           "group_forward", "histogram",
                                          "jagged_copy",    "layer_norm",    "merge_splits",
                                          "order_by_cost",  "paged_copy",    "pair_lists",
                                          "paired_forward", "quantize_rows", "rotary",
                                          "scaled_gemm",    "softmax",       "split_logsumexp",
                                          "top_k"}));
}

/// The block and the alignment of the variant for rows of that length at that address.
std::pair<int64_t, bool> normFor(DType dtype, int64_t cols, uintptr_t address) {
  static const auto &family = *new Family(
      "layer_norm", "layer_norm", {{.field = "block_cols", .label = "cols", .fit = Fit::nearest}});
  Tensor x(reinterpret_cast<void *>(address), dtype, {2, cols}), y = x;
  Tensor weight(nullptr, dtype, {cols}), bias = weight;
  const Arg args[] = {x, weight, bias, y, Arg::real(DType::f32, 0)};
  const ::kernels::Variant *chosen = family.choose(std::array{cols}, args);
  return chosen ? std::pair(chosen->config("block_cols"), chosen->config("aligned") != 0)
                : std::pair(int64_t(-1), false);
}

TEST(Family, ShortestBlockThatHoldsTheRowAndTheAlignmentThatIsThere) {
  using Choice = std::pair<int64_t, bool>;
  for (DType dtype : {DType::f32, DType::bf16}) {
    EXPECT_EQ(normFor(dtype, 1024, 0), (Choice{1024, true}));
    EXPECT_EQ(normFor(dtype, 1024, 4), (Choice{1024, false}));
    EXPECT_EQ(normFor(dtype, 1023, 0), (Choice{1024, false}));
    EXPECT_EQ(normFor(dtype, 2048, 16), (Choice{2048, true}));
    EXPECT_EQ(normFor(dtype, 2048, 8), (Choice{4096, false})); // none of 2048 takes any address
    EXPECT_EQ(normFor(dtype, 8192, 0), (Choice{8192, true}));
    EXPECT_EQ(normFor(dtype, 8191, 0), (Choice{dtype == DType::f32 ? 4096 : 6144, false}));
    EXPECT_EQ(normFor(dtype, 100000, 0), (Choice{8192, true}));
  }
  EXPECT_EQ(normFor(DType::i32, 1024, 0).first, -1);
}

/// Where alignment is there, the variant that makes use of it, although others come before it.
TEST(Family, PrefersAlignment) {
  Family family("matmul", "gemm", {{.field = "transpose_b", .label = "transpose_b"}});
  auto isAligned = [&](int64_t n, uintptr_t address) {
    Tensor a(nullptr, DType::bf16, {64, 32}), b(nullptr, DType::bf16, {32, n});
    Tensor c(reinterpret_cast<void *>(address), DType::bf16, {64, n});
    const Arg args[] = {a, b, c};
    const ::kernels::Variant *chosen = family.choose(std::array<int64_t, 1>{0}, args);
    return chosen && chosen->config("aligned") != 0;
  };
  EXPECT_TRUE(isAligned(64, 0));
  EXPECT_FALSE(isAligned(60, 0));
  EXPECT_FALSE(isAligned(64, 8));
}

/// The smallest list that holds k.
TEST(Family, SmallestThatSuffices) {
  Family family("top_k", "top_k", {{.field = "most", .label = "k", .fit = Fit::most}});
  Tensor x(nullptr, DType::f32, {1, 1});
  const Arg args[] = {x, x, x, x};
  auto most = [&](int64_t k) {
    const ::kernels::Variant *chosen = family.choose(std::array{k}, args);
    return chosen ? chosen->config("most") : -1;
  };
  EXPECT_EQ(most(1), 64);
  EXPECT_EQ(most(64), 64);
  EXPECT_EQ(most(65), 2048);
  EXPECT_EQ(most(2048), 2048);
  EXPECT_EQ(most(2049), -1);
}
} // namespace

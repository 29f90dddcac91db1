//===- GatheredGemmTest.cpp - products of picked rows against double ------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "GatherReference.h"
#include "Harness.h"

using namespace tile::test;
using tile::DType;

namespace {
class GatheredGemm : public KernelTest {
protected:
  /// `m` rows picked from `aRows`, some of them more than once, some from outside.
  void check(int64_t aRows, int64_t m, int64_t n, int64_t k, bool exact, int64_t padding) {
    n = variant().accepted("n", n);
    k = variant().accepted("k", k);
    SCOPED_TRACE(testing::Message()
                 << m << " of " << aRows << " rows, " << n << " x " << k
                 << (exact ? " integers" : " normal") << ", padding " << padding);
    auto a = variant().matrix(0, aRows, k, padding, padding);
    auto b = variant().matrix(2, k, n, padding, padding);
    auto c = variant().matrix(3, m, n, padding, padding);
    GuardedTensor rows(DType::i32, {m});
    rows.setValues(integers(random, m, -2, aRows + 1));
    for (int64_t i = 3; i < m; i += 17)
      rows.set(i, i % 2 ? -0x1p31 : 0x1p31 - 1);
    for (GuardedTensor *tensor : {&a, &b})
      tensor->setValues(exact ? integers(random, tensor->elements(), -2, 2)
                              : normal(random, tensor->elements()));
    EXPECT_OK(run(variant(), {a, rows, b, c}));
    std::vector<double> picked(m * k, 0.0);
    if (k > 0)
      picked = gatherRows(a.values(), k, rows.values(), 0);
    auto expected = matmul(picked, b.values(), m, n, k, false);
    if (!exact) {
      EXPECT_OK(checkGemm(c.values(), expected, c.dtype()));
      return;
    }
    GuardedTensor rounded(c.dtype(), {m, n});
    rounded.setValues(expected);
    EXPECT_EQ(c.values(), rounded.values());
  }
};

TEST_P(GatheredGemm, OddExtents) {
  const auto extents = cases<int64_t>({1, 31, 64, 100, 129, 260}, {31, 129});
  int turn = 0;
  for (int64_t m : extents)
    for (int64_t k : extents) {
      check(extents[(turn + 3) % extents.size()], m, extents[turn % extents.size()], k, turn % 2,
            turn % 3);
      ++turn;
    }
}

TEST_P(GatheredGemm, EveryTripCount) {
  for (int64_t trips : cases({0, 1, 2, 3, 4, 7}, {0, 1, 4}))
    for (int64_t rest : {0, 8})
      check(50, 65, 72, trips * variant().config("block_k") + rest, true, 0);
}

TEST_P(GatheredGemm, ZeroExtents) {
  check(0, 100, 64, 64, true, 0); // no row to pick
  check(10, 0, 64, 64, true, 0);
  check(10, 100, 0, 64, true, 0);
}

// Over and over: a race shows in some runs only.
TEST_P(GatheredGemm, SameEveryTime) {
  for (int i = 0; i < (variant().device == tile::Device::cuda ? 50 : isInterpreted() ? 1 : 2); ++i)
    check(300, 200, 150, 320, true, 0);
}

TILE_INSTANTIATE(GatheredGemm, "gathered_gemm");
} // namespace

//===- GemmTest.cpp - gemm against double ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "Harness.h"

using namespace tile::test;

namespace {
class Gemm : public KernelTest {
protected:
  /// A product of the given extents. Rows and surroundings are padded with NaN; `padding` odd makes
  /// rows that no vector access can load.
  void check(int64_t m, int64_t n, int64_t k, bool exact, int64_t padding) {
    n = variant().accepted("n", n);
    k = variant().accepted("k", k);
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) +
                 (exact ? " integers" : " normal") + ", padding " + std::to_string(padding));
    bool transposed = variant().config("transpose_b");
    auto a = variant().matrix(0, m, k, padding, padding);
    auto b = transposed ? variant().matrix(1, n, k, padding, padding)
                        : variant().matrix(1, k, n, padding, padding);
    auto c = variant().matrix(2, m, n, padding, padding);
    for (GuardedTensor *tensor : {&a, &b})
      tensor->setValues(exact ? integers(random, tensor->elements(), -2, 2)
                              : normal(random, tensor->elements()));
    EXPECT_OK(run(variant(), {a, b, c}));
    auto expected = matmul(a.values(), b.values(), m, n, k, transposed);
    if (!exact) {
      EXPECT_OK(checkGemm(c.values(), expected, c.dtype()));
      return;
    }
    GuardedTensor rounded(c.dtype(), {m, n});
    rounded.setValues(expected);
    EXPECT_EQ(c.values(), rounded.values());
  }
};

TEST_P(Gemm, OddExtents) {
  const auto extents = cases<int64_t>({1, 7, 64, 65, 100, 129, 257}, {7, 130});
  int turn = 0;
  for (int64_t m : extents)
    for (int64_t n : extents) {
      check(m, n, extents[turn % extents.size()], turn % 2, turn % 3);
      ++turn;
    }
}

TEST_P(Gemm, EveryDepth) {
  for (int64_t k :
       cases({1, 2, 7, 8, 15, 16, 17, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 257, 1000},
             {1, 17, 193}))
    check(70, 90, k, false, 0);
}

// Loops shorter than the pipeline and longer, with and without a rest.
TEST_P(Gemm, EveryTripCount) {
  int64_t blockK = variant().config("block_k");
  for (int64_t trips : cases({0, 1, 2, 3, 4, 5, 7}, {1, 5}))
    for (int64_t rest : cases({0, 8}, {trips == 1 ? 0 : 8}))
      check(65, 72, trips * blockK + rest, true, 0);
}

// Over and over: a race shows in some runs only.
TEST_P(Gemm, SameEveryTime) {
  int64_t n = variant().accepted("n", 150), k = variant().accepted("k", 320);
  bool transposed = variant().config("transpose_b");
  auto a = variant().matrix(0, 200, k, 0), c = variant().matrix(2, 200, n, 0);
  auto b = transposed ? variant().matrix(1, n, k, 0) : variant().matrix(1, k, n, 0);
  a.setValues(normal(random, a.elements()));
  b.setValues(normal(random, b.elements()));
  EXPECT_OK(run(variant(), {a, b, c}));
  auto first = c.values();
  for (int i = 0; i < (variant().device == tile::Device::cuda ? 100
                       : isInterpreted()                      ? 1
                                                              : 3);
       ++i) {
    EXPECT_OK(run(variant(), {a, b, c}));
    ASSERT_EQ(c.values(), first) << "run " << i;
  }
}

TEST_P(Gemm, AlignedAndUnalignedRows) {
  for (int64_t padding : cases({0, 1, 2, 4, 8, 16}, {1, 8}))
    for (bool exact : cases({true, false}, {true}))
      check(200, 264, isInterpreted() ? 24 : 136, exact, padding);
}

TEST_P(Gemm, ZeroExtents) {
  check(0, 100, 64, true, 0);
  check(100, 0, 64, true, 0);
  check(100, 65, 0, true, 0); // an empty sum is 0
}

// One row of `a` read as all of them: a stride of 0.
TEST_P(Gemm, BroadcastRows) {
  const int64_t m = 200, n = variant().accepted("n", 72), k = variant().accepted("k", 136);
  bool transposed = variant().config("transpose_b");
  GuardedTensor a(variant().dtype(), {m, k}, {0, 1});
  for (int64_t i = 0; i < k; ++i)
    a.set(i, static_cast<double>(pick(random, -2, 2)));
  auto b = transposed ? variant().matrix(1, n, k, 0) : variant().matrix(1, k, n, 0);
  auto c = variant().matrix(2, m, n, 0);
  b.setValues(integers(random, b.elements(), -2, 2));
  EXPECT_OK(run(variant(), {a, b, c}));
  GuardedTensor rounded(c.dtype(), {m, n});
  rounded.setValues(matmul(a.values(), b.values(), m, n, k, transposed));
  EXPECT_EQ(c.values(), rounded.values());
}

TILE_INSTANTIATE(Gemm, "gemm");
} // namespace

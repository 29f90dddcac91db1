//===- SharedNamesTest.cpp - how an author knows a shared tile ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Kernel.h"

#include "tilec/Analysis/SharedNames.h"

using namespace mlir;
using namespace tilec;
using tilec::test::Kernel;

/// How the tile is described that is allocated at `location`.
static std::string described(const std::string &location) {
  Kernel kernel("tile.kernel @k() {\n%s = tile.alloc_shared : !tile.shared<128x64xbf16> " +
                location + "\ntile.return\n}");
  auto alloc = kernel.all<tile::AllocSharedOp>().front();
  return describeTile(alloc.getLoc(), alloc.getType());
}

TEST(SharedNames, AxesOfTheLanguage) {
  EXPECT_EQ(described(R"(loc("m, k"("Gemm.cpp":3:1)))"), "[m=128, k=64] of bf16");
  EXPECT_EQ(described(R"(loc(callsite("m, k"("Gemm.cpp":3:1) at "Gemm.cpp":9:1)))"),
            "[m=128, k=64] of bf16");
}

TEST(SharedNames, OthersAreDescribedByShape) {
  EXPECT_EQ(described(""), "128x64 of bf16");
  EXPECT_EQ(described(R"(loc("Gemm.cpp":3:1))"), "128x64 of bf16");
  EXPECT_EQ(described(R"(loc("a name of something else"("Gemm.cpp":3:1)))"), "128x64 of bf16");
}

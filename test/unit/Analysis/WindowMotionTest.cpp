//===- WindowMotionTest.cpp - how a window moves between iterations -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Kernel.h"

#include "tilec/Analysis/WindowMotion.h"

using namespace mlir;
using namespace tilec;
using tilec::test::Kernel;

/// Whether a window of 32 x 64 at offsets `%a`, `%b`, which `body` computes from the loop's
/// variable `%i` and from `%s`, sees something new in each iteration.
static bool disjoint(const std::string &body, const std::string &step = "%c1") {
  Kernel kernel(R"(
    tile.kernel @k(%x: !tile.global<?x?xf32>, %s: i64) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c32 = arith.constant 32 : i64
      %c63 = arith.constant 63 : i64
      %c64 = arith.constant 64 : i64
      %back = arith.constant -64 : i64
      scf.for %i = %c0 to %s step )" +
                step + " : i64 {\n" + body + R"(
        %w = tile.window %x[%a, %b] dims = [0, 1] : !tile.global<?x?xf32> to !tile.window<32x64xf32>
        %l = tile.load %w : !tile.window<32x64xf32> to tensor<32x64xf32>
      }
      tile.return
    })");
  return isDisjointEachIteration(kernel.all<tile::WindowOp>().front(),
                                 kernel.all<scf::ForOp>().front());
}

static const std::string fixed = "%a = arith.addi %s, %c0 : i64\n";

TEST(WindowMotion, ByItsExtentOrMore) {
  EXPECT_TRUE(disjoint(fixed + "%b = arith.muli %i, %c64 : i64\n"));
  EXPECT_FALSE(disjoint(fixed + "%b = arith.muli %i, %c63 : i64\n"));
  EXPECT_TRUE(disjoint("%a = arith.muli %i, %c32 : i64\n %b = arith.addi %s, %c0 : i64\n"))
      << "along the other dimension";
  EXPECT_TRUE(disjoint(fixed + "%b = arith.muli %i, %back : i64\n")) << "backwards";
}

TEST(WindowMotion, StandsStill) {
  EXPECT_FALSE(disjoint(fixed + "%b = arith.addi %s, %c64 : i64\n"));
}

TEST(WindowMotion, TheStepOfTheLoopCounts) {
  EXPECT_FALSE(disjoint(fixed + "%b = arith.muli %i, %c32 : i64\n"));
  EXPECT_TRUE(disjoint(fixed + "%b = arith.muli %i, %c32 : i64\n", "%c2"));
  EXPECT_TRUE(disjoint(fixed + "%b = arith.addi %i, %s : i64\n", "%c64"));
  // A step that only the launch knows is at least 1.
  EXPECT_TRUE(disjoint(fixed + "%b = arith.muli %i, %c64 : i64\n", "%s"));
  EXPECT_FALSE(disjoint(fixed + "%b = arith.muli %i, %c32 : i64\n", "%s"));
}

TEST(WindowMotion, SumsOfMotions) {
  EXPECT_TRUE(disjoint(fixed + "%m = arith.muli %i, %c32 : i64\n"
                               "%n = arith.addi %m, %s : i64\n"
                               "%b = arith.addi %n, %m : i64\n"));
  EXPECT_FALSE(disjoint(fixed + "%m = arith.muli %i, %c64 : i64\n"
                                "%n = arith.muli %i, %back : i64\n"
                                "%b = arith.addi %m, %n : i64\n"))
      << "they cancel";
}

TEST(WindowMotion, WhatIsNotKnownIsNotDisjoint) {
  EXPECT_FALSE(disjoint(fixed + "%b = arith.muli %i, %s : i64\n"));
  EXPECT_FALSE(disjoint(fixed + "%m = arith.divsi %i, %c2 : i64\n"
                                "%b = arith.muli %m, %c64 : i64\n"));
}

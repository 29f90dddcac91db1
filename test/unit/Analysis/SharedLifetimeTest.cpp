//===- SharedLifetimeTest.cpp - which shared tiles may share bytes --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Kernel.h"

#include "tilec/Analysis/SharedLifetime.h"

using namespace mlir;
using namespace tilec;
using tilec::test::Kernel;

/// The pairs of tiles that need bytes of their own, "ab ac". Tiles are `%a`, `%b`, ... in the order
/// of their allocation; a body of lines "alloc x", "write x", "read x", and any IR between.
static std::string interferences(const std::string &body) {
  std::string ir;
  std::string type = "!tile.shared<64xf32, #tile.swizzle<0>>";
  int loads = 0;
  SmallVector<StringRef> lines;
  StringRef(body).split(lines, '\n');
  for (StringRef line : lines) {
    auto [verb, tile] = line.trim().split(' ');
    if (verb == "alloc")
      ir += "%" + tile.str() + " = tile.alloc_shared : " + type + "\n";
    else if (verb == "write")
      ir += "tile.copy %w, %" + tile.str() + " : !tile.window<64xf32> to " + type + "\n";
    else if (verb == "read")
      ir += "%l" + std::to_string(loads++) + " = tile.load %" + tile.str() + " : " + type +
            " to tensor<64xf32>\n";
    else
      ir += line.str() + "\n";
  }
  Kernel kernel(R"(
    tile.kernel @k(%x: !tile.global<?xf32>, %n: i64, %p: i1) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %w = tile.window %x[%n] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  )" + ir + "tile.return\n}");
  SharedLifetime lifetime(kernel.op());
  std::string result;
  unsigned count = lifetime.allocations().size();
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j) {
      EXPECT_EQ(lifetime.interfere(i, j), lifetime.interfere(j, i));
      if (lifetime.interfere(i, j))
        result += (result.empty() ? "" : " ") + std::string{char('a' + i), char('a' + j)};
    }
  return result;
}

TEST(SharedLifetime, OneAfterTheOther) {
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n read a\n write b\n read b"), "");
}

TEST(SharedLifetime, OneWhileTheOther) {
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n write b\n read a\n read b"), "ab");
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n write b\n read b\n read a"), "ab");
  EXPECT_EQ(interferences("alloc a\n alloc b\n alloc c\n write a\n write b\n read a\n write c\n"
                          "read b\n read c"),
            "ab bc");
}

// A whole write ends the old contents: between the two uses of `a` its bytes are free.
TEST(SharedLifetime, FreeBetweenUses) {
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n read a\n write b\n read b\n write a\n"
                          "read a"),
            "");
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n read a\n write b\n read b\n read a"),
            "ab");
}

// A write that nobody reads still needs bytes that nobody else uses then.
TEST(SharedLifetime, ADeadWriteSpoilsWhatLives) {
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n write b\n read a"), "ab");
}

TEST(SharedLifetime, LoopsComeRoundAgain) {
  const char *loop = "scf.for %i = %c0 to %n step %c1 : i64 {";
  EXPECT_EQ(interferences(std::string("alloc a\n alloc b\n write a\n") + loop +
                          "\n read a\n write b\n read b\n }"),
            "ab")
      << "the next iteration reads a again";
  EXPECT_EQ(interferences(std::string("alloc a\n alloc b\n") + loop +
                          "\n write a\n read a\n write b\n read b\n }"),
            "")
      << "each is written before it is read";
  EXPECT_EQ(interferences(std::string("alloc a\n") + loop +
                          "\n alloc b\n write b\n read b\n write a\n read a\n }\n read a"),
            "")
      << "old contents of a matter without an iteration only, and b without one lives not at all";
  EXPECT_EQ(
      interferences(
          std::string("alloc a\n") + loop + "\n write a\n" +
          "scf.for %j = %c0 to %n step %c1 : i64 {\n alloc b\n write b\n read b\n }\n read a\n }"),
      "ab")
      << "an inner loop";
}

// Allocated in the loop: the next iteration has a new one.
TEST(SharedLifetime, ATileOfTheIteration) {
  EXPECT_EQ(interferences("alloc a\n write a\n read a\n scf.for %i = %c0 to %n step %c1 : i64 {\n"
                          "alloc b\n read b\n write b\n }"),
            "");
}

TEST(SharedLifetime, Branches) {
  EXPECT_EQ(
      interferences("alloc a\n alloc b\n scf.if %p {\n write a\n read a\n } else {\n write b\n"
                    "read b\n }"),
      "")
      << "only one of the two runs";
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n write b\n read b\n scf.if %p {\n write a\n"
                          "}\n read a"),
            "ab")
      << "on one path a is still read";
  EXPECT_EQ(interferences("alloc a\n alloc b\n write b\n read b\n scf.if %p {\n write a\n"
                          "} else {\n write a\n }\n read a"),
            "ab")
      << "both paths write it, but a branch without a region to run is not told apart";
}

// Both conditions of a loop see what the other leaves.
TEST(SharedLifetime, WhileLoops) {
  EXPECT_EQ(interferences("alloc a\n alloc b\n write a\n scf.while : () -> () {\n read a\n"
                          "scf.condition(%p)\n } do {\n write b\n read b\n scf.yield\n }"),
            "ab");
}

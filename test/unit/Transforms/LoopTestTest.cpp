//===- LoopTestTest.cpp - conjunctions whose bounds are in front of a loop -===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Rewritten.h"

using namespace mlir;
using namespace tilec::test;

static const std::string wide = "%w = arith.extsi %e : i32 to i64\n";

//===----------------------------------------------------------------------===//
// What is left of a length
//===----------------------------------------------------------------------===//

/// How many of 64 elements at a position the length has; %t and the suffix holds if it has all of
/// them.
static std::string rest(const std::string &suffix, const std::string &position,
                        const std::string &length = "%n", const std::string &few = "%c0") {
  return "%neg" + suffix + " = arith.cmpi slt, " + position + ", %c0 : i64\n" +       //
         "%dif" + suffix + " = arith.subi " + length + ", " + position + " : i64\n" + //
         "%sel" + suffix + " = arith.select %neg" + suffix + ", " + few + ", %dif" + suffix +
         " : i64\n" +                                                          //
         "%max" + suffix + " = arith.maxsi %sel" + suffix + ", %c0 : i64\n" +  //
         "%min" + suffix + " = arith.minsi %max" + suffix + ", %c64 : i64\n" + //
         "%t" + suffix + " = arith.cmpi sgt, %min" + suffix + ", %c63 : i64\n";
}

static const std::string position = wide + "%p = arith.muli %w, %c64 : i64\n";

TEST(LoopTest, Rest) {
  check(position + rest("", "%p"), 1);
  check(rest("", "%i"), 1);
  check("%len = arith.maxsi %a, %c0 : i64\n" + rest("", "%i", "%len"), 1);
  // Lengths that may be negative, other forms: the test stays.
  check(rest("", "%i", "%a"), 4);
  check(rest("", "%i", "%n", "%c100"), 4);
  check(rest("", "%i", "%n", "%b"), 4);
}

TEST(LoopTest, RestInI32) {
  check(R"(
    %len64 = arith.minsi %n, %greatest : i64
    %len = arith.trunci %len64 : i64 to i32
    %neg = arith.cmpi slt, %e, %i0 : i32
    %dif = arith.subi %len, %e : i32
    %sel = arith.select %neg, %i0, %dif : i32
    %v = arith.extsi %sel : i32 to i64
    %t = arith.cmpi sgt, %v, %c63 : i64)",
        1);
}

TEST(LoopTest, RestOfAVariableNumber) {
  check(R"(
    %few = arith.maxsi %b, %c1 : i64
    %neg = arith.cmpi slt, %i, %c0 : i64
    %dif = arith.subi %n, %i : i64
    %sel = arith.select %neg, %c0, %dif : i64
    %t = arith.cmpi sge, %sel, %few : i64)",
        1);
}

//===----------------------------------------------------------------------===//
// Conjunctions
//===----------------------------------------------------------------------===//

/// Row %s + %b sees the columns from %p on, in i32; the row is clamped, and no position may wrap
/// around.
static std::string causal(const std::string &position) {
  return R"(
    %row = arith.extsi %s : i32 to i64
    %below = arith.maxsi %b, %least : i64
    %offset = arith.minsi %below, %greatest : i64
    %sum = arith.addi %row, %offset : i64
    %far = arith.addi %sum, %c63 : i64
    %low = arith.maxsi )" +
         position + R"(, %least : i64
    %clamped = arith.minsi %low, %last64 : i64
    %column = arith.addi %clamped, %c63 : i64
    %before = arith.cmpi sge, %sum, %column : i64
    %fits0 = arith.cmpi sge, %sum, %least : i64
    %fits1 = arith.cmpi sle, %far, %greatest : i64
    %fits = arith.andi %fits0, %fits1 : i1
    %seen = arith.andi %before, %fits : i1
  )";
}

TEST(LoopTest, Causal) {
  check(position + causal("%p") + "%t = arith.andi %seen, %fits : i1", 3);
  check(causal("%i") + "%t = arith.andi %seen, %fits : i1", 2);
}

TEST(LoopTest, CausalAndRest) {
  check(position + causal("%p") + rest("_rest", "%p") + "%t = arith.andi %seen, %t_rest : i1", 1);
  check(causal("%i") + rest("_rest", "%i") + "%t = arith.andi %t_rest, %seen : i1", 1);
}

/// Entries of a list that are two blocks.
static std::vector<int64_t> pairs() {
  std::vector<int64_t> entries;
  for (int64_t first : {-32768, -2, -1, 0, 1, 2, 3, 4, 5, 32767})
    for (int64_t second : {-32768, -2, -1, 0, 1, 2, 3, 4, 5, 32767})
      entries.push_back((first & 0xffff) | second * 65536);
  return entries;
}

TEST(LoopTest, Pairs) {
  const std::string blocks = wide + R"(
    %up = arith.shli %w, %c48 : i64
    %first = arith.shrsi %up, %c48 : i64
    %second = arith.shrsi %w, %c16 : i64
    %p = arith.muli %first, %c64 : i64
    %q = arith.muli %second, %c64 : i64
  )";
  const std::string both =
      blocks + rest("_p", "%p") + rest("_q", "%q") + "%two = arith.andi %t_p, %t_q : i1\n";
  // Three shifts and the entry in i64, two comparisons of i32, their conjunction.
  check(both + "%t = arith.andi %two, %two : i1", 9, pairs());
  check(both + causal("%q") + "%t = arith.andi %two, %seen : i1", 9, pairs());
}

TEST(LoopTest, SeveralEnds) {
  check(R"(
    %t0 = arith.cmpi sge, %i, %c0 : i64
    %t1 = arith.cmpi sge, %i, %b : i64
    %t2 = arith.cmpi sle, %i, %a : i64
    %t3 = arith.cmpi slt, %i, %c100 : i64
    %t01 = arith.andi %t0, %t1 : i1
    %t23 = arith.andi %t2, %t3 : i1
    %t = arith.andi %t01, %t23 : i1)",
        3);
  check(R"(
    %t0 = arith.cmpi sge, %i, %c0 : i64
    %t1 = arith.cmpi sle, %i, %a : i64
    %t2 = arith.cmpi sle, %b, %a : i64
    %t01 = arith.andi %t0, %t1 : i1
    %t = arith.andi %t01, %t2 : i1)",
        1);
  check(R"(
    %w = arith.extsi %e : i32 to i64
    %t0 = arith.cmpi sge, %i, %b : i64
    %t1 = arith.cmpi sle, %w, %a : i64
    %t = arith.andi %t0, %t1 : i1)",
        4);
}

TEST(LoopTest, OtherConditionsStay) {
  check("%t = arith.cmpi ult, %i, %a : i64", 1);
  check("%t = arith.cmpi eq, %i, %a : i64", 1);
  check("%t0 = arith.cmpi sle, %i, %a : i64\n%t1 = arith.cmpi sge, %i, %b : i64\n%t = arith.ori "
        "%t0, %t1 : i1",
        3);
  check("%t = arith.cmpi sle, %e, %s : i32", 1);
  check("%d = arith.subi %i, %a : i64\n%t = arith.cmpi sle, %d, %i : i64", 2);
}

//===----------------------------------------------------------------------===//
// Where things are
//===----------------------------------------------------------------------===//

TEST(LoopTest, NothingChanges) {
  Rewritten test("%d = arith.subi %a, %b : i64\n%t = arith.cmpi sle, %d, %c10 : i64");
  EXPECT_EQ(test.numInLoop(), 0u);
  checkEnds(test);
}

TEST(LoopTest, DivisionsStayUnlessTheDivisorIsKnown) {
  Rewritten any("%d = arith.divsi %a, %b : i64\n%t = arith.cmpi sle, %i, %d : i64");
  EXPECT_EQ(any.all<arith::DivSIOp>().size(), 1u)
      << "before a loop without trips the divisor may be 0";
  Rewritten known("%d = arith.divsi %a, %c10 : i64\n%t = arith.cmpi sle, %i, %d : i64");
  EXPECT_EQ(known.all<arith::DivSIOp>().size(), 2u);
  EXPECT_EQ(known.numInLoop(), 1u);
  checkSmall(known, positions());
}

TEST(LoopTest, InABranch) {
  check(R"(
    %g = arith.cmpi ne, %e, %i0 : i32
    scf.if %g {
      %d = arith.subi %n, %c0 : i64
      %w = arith.extsi %e : i32 to i64
      %m = arith.minsi %w, %c64 : i64
      %t = arith.cmpi sle, %m, %d : i64
      scf.if %t {
      }
    })",
        2);
}

TEST(LoopTest, OfTheInnerLoop) {
  const std::string text = R"(
    scf.for %o = %c0 to %a step %c1 : i64 {
      %sum = arith.minsi %o, %last64 : i64
      scf.for %i = %c0 to %o step %c1 : i64 {
        %end5 = arith.subi %sum, %c5 : i64
        %low = arith.cmpi sge, %i, %c0 : i64
        %high = arith.cmpi sle, %i, %sum : i64
        %all = arith.cmpi sle, %a, %end5 : i64
        %both = arith.andi %low, %high : i1
        %t = arith.andi %both, %all : i1
        scf.if %t {
        }
      }
    }
  )";
  check(text, 1);
  Rewritten test(text);
  EXPECT_TRUE(test.getLoop()->getParentOfType<scf::ForOp>());
}

TEST(LoopTest, LeavesNothingBehind) {
  Rewritten test(position + causal("%p") + rest("_rest", "%p") +
                 "%t = arith.andi %seen, %t_rest : i1");
  for (Operation &op : *test.getLoop()->getBlock())
    if (&op != test.getLoop() && op.getNumResults() == 1 &&
        !isa<arith::ConstantOp, tile::DimOp>(op))
      EXPECT_FALSE(op.use_empty()) << "in front of the loop";
}

//===- LoopEndsTest.cpp - comparisons solved for what changes in a loop ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Rewritten.h"

using namespace tilec::test;

/// %v, as `value` computes it, in all orders with an end, from either side; what is left of `at
/// most` and of `at least` in the loop.
static void checkOrders(const std::string &value, unsigned atMost, unsigned atLeast) {
  std::string text = value + "\n%f = arith.extsi %s : i32 to i64\n%t = arith.cmpi ";
  for (std::string predicate : {"sle", "slt"}) {
    check(text + predicate + ", %v, %f : i64", atMost);
    check(text + predicate + ", %f, %v : i64", atLeast);
  }
  for (std::string predicate : {"sge", "sgt"}) {
    check(text + predicate + ", %v, %f : i64", atLeast);
    check(text + predicate + ", %f, %v : i64", atMost);
  }
}

/// At least and at most %a, which may be any i64.
static void checkAnyEnd(const std::string &value, unsigned atMost, unsigned atLeast) {
  check(value + "\n%t = arith.cmpi sle, %v, %a : i64", atMost);
  check(value + "\n%t = arith.cmpi sge, %v, %a : i64", atLeast);
}

static const std::string wide = "%w = arith.extsi %e : i32 to i64\n";
static const std::string clamped =
    "%l = arith.maxsi %i, %least : i64\n%w = arith.minsi %l, %last64 : i64\n";

TEST(LoopEnds, Number) {
  checkOrders("%v = arith.addi %i, %c0 : i64", 1, 1);
  checkOrders("%v = arith.extsi %e : i32 to i64", 2, 2);
  // A strict comparison with what may be the end of i64 stays: there is no number beyond it.
  check("%m = arith.minsi %i, %c10 : i64\n %t = arith.cmpi slt, %m, %a : i64", 2);
  check("%m = arith.maxsi %i, %c10 : i64\n %t = arith.cmpi sgt, %m, %a : i64", 2);
}

// What the constant forbids is one condition that does not change in the loop, and one `and`.
TEST(LoopEnds, MinAndMax) {
  checkOrders("%v = arith.minsi %i, %c10 : i64", 1, 2);
  checkOrders("%v = arith.maxsi %i, %c10 : i64", 2, 1);
  checkAnyEnd("%v = arith.minsi %i, %c10 : i64", 1, 2);
  checkAnyEnd("%v = arith.maxsi %i, %c10 : i64", 2, 1);
  checkOrders("%m = arith.minsi %e, %i100 : i32\n%v = arith.extsi %m : i32 to i64", 2, 3);
  checkOrders("%m = arith.maxsi %e, %i100 : i32\n%v = arith.extsi %m : i32 to i64", 3, 2);
  checkOrders(clamped + "%v = arith.addi %w, %c0 : i64", 2, 2);
}

TEST(LoopEnds, Sums) {
  checkOrders(wide + "%v = arith.addi %w, %c5 : i64", 2, 2);
  checkOrders(clamped + "%v = arith.addi %w, %c63 : i64", 2, 2);
  checkOrders(wide + "%p = arith.addi %w, %c5 : i64\n%v = arith.minsi %p, %c64 : i64", 2, 3);
  // These may wrap around.
  checkOrders("%v = arith.addi %i, %c5 : i64", 2, 2);
  checkOrders("%p = arith.addi %e, %i5 : i32\n%v = arith.extsi %p : i32 to i64", 3, 3);
  // The difference of the end and the constant may.
  checkAnyEnd(wide + "%v = arith.addi %w, %c5 : i64", 3, 3);
}

TEST(LoopEnds, Products) {
  for (std::string factor : {"%c1", "%c16", "%c64", "%c128"})
    checkOrders(wide + "%v = arith.muli %w, " + factor + " : i64", 2, 2);
  checkAnyEnd(wide + "%v = arith.muli %w, %c64 : i64", 2, 3);
  checkOrders("%h = arith.shrsi %e, %i26 : i32\n%p = arith.muli %h, %i64 : i32\n%v = arith.extsi "
              "%p : i32 to i64",
              3, 3);
  // These may wrap around, or the factor is no power of two.
  checkOrders("%v = arith.muli %i, %c64 : i64", 2, 2);
  checkOrders("%p = arith.muli %e, %i64 : i32\n%v = arith.extsi %p : i32 to i64", 3, 3);
  checkOrders(wide + "%v = arith.muli %w, %c10 : i64", 3, 3);
  checkOrders(wide + "%c = arith.constant -64 : i64\n%v = arith.muli %w, %c : i64", 4, 4);
}

TEST(LoopEnds, Casts) {
  checkOrders(clamped + "%n32 = arith.trunci %w : i64 to i32\n%v = arith.extsi %n32 : i32 to i64",
              2, 2);
  checkOrders("%n32 = arith.trunci %i : i64 to i32\n%v = arith.extsi %n32 : i32 to i64", 3, 3);
  checkOrders("%l = arith.shli %i, %c48 : i64\n%v = arith.shrsi %l, %c48 : i64", 3, 3);
}

TEST(LoopEnds, ConstantsAtTheEndsOfI64) {
  for (std::string predicate : {"sle", "slt", "sge", "sgt"})
    for (std::string end : {"%start", "%end"}) {
      SCOPED_TRACE(predicate + " " + end);
      std::string compare = "%t = arith.cmpi " + predicate;
      for (const std::string &text :
           {"%m = arith.minsi %i, %c10 : i64\n" + compare + ", %m, " + end + " : i64",
            "%m = arith.maxsi %i, %c10 : i64\n" + compare + ", %m, " + end + " : i64",
            "%m = arith.minsi %i, " + end + " : i64\n" + compare + ", %m, %a : i64",
            "%m = arith.maxsi %i, " + end + " : i64\n" + compare + ", %m, %a : i64",
            "%m = arith.addi %i, " + end + " : i64\n" + compare + ", %m, %a : i64",
            wide + "%m = arith.muli %w, " + end + " : i64\n" + compare + ", %m, %a : i64"}) {
        SCOPED_TRACE(text);
        Rewritten test(text);
        checkEnds(test);
      }
    }
}

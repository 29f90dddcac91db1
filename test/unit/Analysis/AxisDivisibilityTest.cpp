//===- AxisDivisibilityTest.cpp - what divides offsets and extents --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Kernel.h"

#include "tilec/Analysis/AxisDivisibility.h"

using namespace mlir;
using namespace tilec;
using tilec::test::Kernel;

/// What divides each i64 that the body stores, in order. `%i` is the loop's variable, from 0 in
/// steps of 16; `%n` and `%m` are dimensions, `%n` a multiple of 24.
static std::vector<int64_t> divisors(const std::string &body) {
  Kernel kernel(R"(
    tile.kernel @k(%x: !tile.global<?xi64>, %s: i64) attributes {tile.launch = {dims = ["n", "m"],
        facts = [{dim = "n", multiple_of = 24 : i64}]}} {
      %n = tile.dim "n"
      %m = tile.dim "m"
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c6 = arith.constant 6 : i64
      %c8 = arith.constant 8 : i64
      %c16 = arith.constant 16 : i64
      %c64 = arith.constant 64 : i64
      %minus = arith.constant -48 : i64
      scf.for %i = %c0 to %s step %c16 : i64 {
  )" + body + R"(
      }
      tile.return
    })");
  Divisibility divisibility(kernel.op());
  std::vector<int64_t> result;
  for (tile::StoreScalarOp store : kernel.all<tile::StoreScalarOp>())
    result.push_back(divisibility.of(store.getValue()));
  return result;
}

static std::string store(const std::string &value) {
  return "tile.store_scalar " + value + ", %x[%c0] : i64 to !tile.global<?xi64>\n";
}

TEST(Divisibility, ConstantsDimensionsAndVariables) {
  EXPECT_EQ(divisors(store("%c64") + store("%minus") + store("%n") + store("%m") + store("%i") +
                     store("%s")),
            (std::vector<int64_t>{64, 48, 24, 1, 16, 1}));
  EXPECT_EQ(divisors(store("%c0")), (std::vector<int64_t>{0})) << "everything divides 0";
}

TEST(Divisibility, Sums) {
  EXPECT_EQ(divisors("%a = arith.addi %c64, %n : i64\n" + store("%a") +
                     "%b = arith.subi %i, %c64 : i64\n" + store("%b") +
                     "%c = arith.addi %i, %c1 : i64\n" + store("%c") +
                     "%d = arith.addi %c0, %i : i64\n" + store("%d")),
            (std::vector<int64_t>{8, 16, 1, 16}));
}

// Of a product the powers of two are known.
TEST(Divisibility, Products) {
  EXPECT_EQ(divisors("%a = arith.muli %m, %c64 : i64\n" + store("%a") +
                     "%b = arith.muli %n, %c6 : i64\n" + store("%b") +
                     "%c = arith.muli %i, %i : i64\n" + store("%c")),
            (std::vector<int64_t>{64, 16, 256}));
}

TEST(Divisibility, ProductsDoNotOverflow) {
  std::string body = "%a = arith.constant 4611686018427387904 : i64\n"
                     "%b = arith.muli %a, %a : i64\n";
  EXPECT_EQ(divisors(body + store("%b")), (std::vector<int64_t>{int64_t(1) << 40}));
}

TEST(Divisibility, ChoicesHaveWhatBothHave) {
  EXPECT_EQ(divisors("%a = arith.minsi %n, %c64 : i64\n" + store("%a") +
                     "%b = arith.maxsi %i, %c0 : i64\n" + store("%b") +
                     "%p = arith.cmpi slt, %s, %c0 : i64\n"
                     "%c = arith.select %p, %c8, %n : i64\n" +
                     store("%c")),
            (std::vector<int64_t>{8, 16, 8}));
}

TEST(Divisibility, Extensions) {
  EXPECT_EQ(divisors("%a = arith.constant 40 : i32\n"
                     "%b = arith.extsi %a : i32 to i64\n" +
                     store("%b")),
            (std::vector<int64_t>{40}));
}

TEST(Divisibility, NothingIsKnownOfOtherOperations) {
  EXPECT_EQ(divisors("%a = arith.divsi %c64, %c8 : i64\n" + store("%a") +
                     "%b = arith.remsi %c64, %c16 : i64\n" + store("%b")),
            (std::vector<int64_t>{1, 1}));
}

// What a loop carries may be anything; its variable starts where the loop does.
TEST(Divisibility, LoopsInLoops) {
  EXPECT_EQ(
      divisors("%r = scf.for %j = %c8 to %s step %c64 iter_args(%v = %c64) -> (i64) : i64 {\n" +
               store("%j") + store("%v") + "scf.yield %c64 : i64\n}\n" + store("%r")),
      (std::vector<int64_t>{8, 1, 1}));
}

TEST(Divisibility, ExtentsAndAlignmentOfParameters) {
  Kernel kernel(R"(
    tile.kernel @k(%x: !tile.global<?x?x80xbf16>, %y: !tile.global<?xf32>) attributes {
        tile.launch = {dims = ["n", "m"], facts = [{dim = "n", multiple_of = 24 : i64}], params = [
          {name = "x", extents = ["m", "n", "80"], aligned}, {name = "y", extents = ["n + 1"]}]}} {
      tile.return
    })");
  Divisibility divisibility(kernel.op());
  Value x = kernel.op().getBody().getArgument(0), y = kernel.op().getBody().getArgument(1);
  EXPECT_EQ(divisibility.ofExtent(x, 0), 1);
  EXPECT_EQ(divisibility.ofExtent(x, 1), 24);
  EXPECT_EQ(divisibility.ofExtent(x, 2), 80);
  EXPECT_EQ(divisibility.ofExtent(y, 0), 1) << "an expression";
  EXPECT_TRUE(divisibility.isAligned(x));
  EXPECT_FALSE(divisibility.isAligned(y));
}

// Hand-written IR may describe nothing.
TEST(Divisibility, WithoutALaunch) {
  Kernel kernel("tile.kernel @k(%x: !tile.global<?x16xf32>) { tile.return }");
  Divisibility divisibility(kernel.op());
  Value x = kernel.op().getBody().getArgument(0);
  EXPECT_EQ(divisibility.ofExtent(x, 0), 1);
  EXPECT_EQ(divisibility.ofExtent(x, 1), 16);
  EXPECT_FALSE(divisibility.isAligned(x));
}

//===- LoopTestTest.cpp - a test and what testInLoop makes of it -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Kernel.h"
#include "LoopTest.h"
#include "ScalarProgram.h"

#include "mlir/IR/Verifier.h"
#include <numeric>
#include <random>

using namespace mlir;
using namespace tilec;
using namespace tilec::test;

namespace {
/// What the values of a kernel are in one run. Of the kernel's arguments %a and the length %n, which is not
/// negative, are `fixed`, %s is it in i32, and %b is `third`, as is the variable of an outer loop. The test's loop
/// is at `moving`, and so in i32 is %e, which the loop reads from memory.
struct Point {
  int64_t fixed, moving, third;
};

/// The last branch of a kernel, whose condition is `old`; it takes the new one instead.
class Rewritten {
public:
  explicit Rewritten(const std::string &body);

  bool isNegativeLength(const Point &point) const { return hasLength && point.fixed < 0; }
  bool hasThird() const { return usesThird; }
  /// Whether the old and the new test hold.
  std::pair<bool, bool> at(const Point &point);
  /// Operations of the new test in the loop.
  unsigned numInLoop();
  template <class Op> std::vector<Op> all() { return kernel.all<Op>(); }
  scf::ForOp getLoop() { return loop; }

private:
  struct Input {
    unsigned slot, width;
    int64_t Point::*number;
  };
  int64_t Point::*numberOf(Value input);

  Kernel kernel;
  scf::ForOp loop;
  Value old, now;
  std::optional<ScalarProgram> program;
  std::vector<Input> inputs;
  bool hasLength = false, usesThird = false;
};
} // namespace

static std::string textOf(const std::string &body) {
  std::string constants;
  for (int64_t number : {0, 1, 5, 10, 16, 26, 48, 63, 64, 100, 127, 128})
    constants += "%c" + std::to_string(number) + " = arith.constant " + std::to_string(number) + " : i64\n";
  std::string loop = body.find("scf.if") == std::string::npos ? body + "\nscf.if %t {\n}\n" : body;
  if (body.find("scf.for") == std::string::npos)
    loop = "scf.for %i = %c0 to %a step %c1 : i64 {\n"
           "%e = tile.load_scalar %x[%i] : !tile.global<?xi32> to i32\n" +
           loop + "}\n";
  return R"(tile.kernel @k(%x: !tile.global<?xi32>, %a: i64, %b: i64, %s: i32)
      attributes {tile.launch = {dims = ["n"], grid = ["n"]}} {
    %n = tile.dim "n"
    %least = arith.constant -2147483648 : i64
    %greatest = arith.constant 2147483647 : i64
    %last64 = arith.constant 2147483584 : i64
    %end = arith.constant 9223372036854775807 : i64
    %start = arith.constant -9223372036854775808 : i64
    %i0 = arith.constant 0 : i32
    %i5 = arith.constant 5 : i32
    %i26 = arith.constant 26 : i32
    %i64 = arith.constant 64 : i32
    %i100 = arith.constant 100 : i32
  )" + constants +
         loop + "tile.return\n}\n";
}

Rewritten::Rewritten(const std::string &body) : kernel(textOf(body)) {
  scf::IfOp branch = kernel.all<scf::IfOp>().back();
  loop = branch->getParentOfType<scf::ForOp>();
  old = branch.getCondition();
  now = testInLoop(old, loop, branch);
  branch.getConditionMutable().assign(now);
  EXPECT_TRUE(succeeded(mlir::verify(kernel.op()))) << body;
  program.emplace(ArrayRef<Value>{old, now});
  for (Value input : program->inputs()) {
    inputs.push_back({program->slotOf(input), ScalarProgram::widthOf(input), numberOf(input)});
    hasLength |= bool(input.getDefiningOp<tile::DimOp>());
    usesThird |= inputs.back().number == &Point::third;
  }
}

int64_t Point::*Rewritten::numberOf(Value input) {
  if (input == loop.getInductionVar() || input.getDefiningOp<tile::LoadScalarOp>())
    return &Point::moving;
  auto argument = dyn_cast<BlockArgument>(input);
  bool isOfKernel = argument && isa<tile::KernelOp>(argument.getOwner()->getParentOp());
  return argument && (!isOfKernel || argument.getArgNumber() == 2) ? &Point::third : &Point::fixed;
}

std::pair<bool, bool> Rewritten::at(const Point &point) {
  for (const Input &input : inputs)
    program->set(input.slot, input.width, point.*input.number);
  program->run();
  return {program->get(program->slotOf(old)), program->get(program->slotOf(now))};
}

unsigned Rewritten::numInLoop() {
  llvm::SetVector<Operation *> found;
  std::vector<Value> open{now};
  while (!open.empty()) {
    Value value = open.back();
    open.pop_back();
    Operation *op = value.getDefiningOp();
    if (op && !loop.isDefinedOutsideOfLoop(value) && !isa<tile::LoadScalarOp>(op) && found.insert(op))
      llvm::append_range(open, op->getOperands());
  }
  return found.size();
}

/// Numbers around the ends of types and of what a half of i64 holds.
static std::vector<int64_t> aroundEnds() {
  std::vector<int64_t> numbers;
  for (unsigned bit : {0, 14, 15, 16, 25, 30, 31, 32, 61, 62, 63})
    for (int64_t by : {0, 1, 2, 5, 63, 64, 65, 127, 128})
      for (uint64_t power : {uint64_t(1) << bit, -(uint64_t(1) << bit)})
        for (uint64_t sum : {power + by, power - by})
          numbers.push_back(sum);
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

static bool isFarFromEnds(int64_t number) { return number >= -(int64_t(1) << 62) && number <= int64_t(1) << 62; }

/// How often tests were seen to hold and not to.
struct Seen {
  unsigned numTrue = 0, numFalse = 0;
};

/// The new test implies the old one; far from the ends of i64 they are equal.
static testing::AssertionResult agrees(Rewritten &test, const Point &point, Seen &seen) {
  if (test.isNegativeLength(point))
    return testing::AssertionSuccess();
  auto [old, now] = test.at(point);
  ++(now ? seen.numTrue : seen.numFalse);
  bool isFar = isFarFromEnds(point.fixed) && isFarFromEnds(point.moving) && isFarFromEnds(point.third);
  if (old == now || (old && !isFar))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "fixed " << point.fixed << ", moving " << point.moving << ", third "
                                     << point.third << ": was " << old << ", is " << now;
}

static void checkSmall(Rewritten &test, const std::vector<int64_t> &movings) {
  std::vector<int64_t> thirds{0};
  if (test.hasThird())
    thirds = {-70, -1, 0, 1, 64, 200};
  Seen seen;
  for (int64_t third : thirds)
    for (int64_t fixed = -70; fixed <= 300; ++fixed)
      for (int64_t moving : movings)
        ASSERT_TRUE(agrees(test, {fixed, moving, third}, seen));
  EXPECT_TRUE(seen.numTrue > 0 && seen.numFalse > 0)
      << "says nothing: " << seen.numTrue << " true, " << seen.numFalse << " false";
}

static void checkEnds(Rewritten &test) {
  std::vector<int64_t> numbers = aroundEnds(), thirds{0};
  if (test.hasThird())
    thirds = {numbers.front(), -(int64_t(1) << 31), -1, 0, 1, int64_t(1) << 31, numbers.back()};
  Seen seen;
  for (int64_t third : thirds)
    for (int64_t fixed : numbers)
      for (int64_t moving : numbers)
        ASSERT_TRUE(agrees(test, {fixed, moving, third}, seen));
  std::mt19937_64 random(1);
  auto draw = [&] { return int64_t(random()) >> (random() % 64); };
  for (int count = 0; count < 100000; ++count) {
    Point point{draw(), draw(), draw()};
    ASSERT_TRUE(agrees(test, point, seen));
  }
}

static std::vector<int64_t> positions() {
  std::vector<int64_t> numbers(601);
  std::iota(numbers.begin(), numbers.end(), -200);
  return numbers;
}

/// `body` computes %t from the point's values. What is left of it in the loop is so many operations.
static void check(const std::string &body, unsigned numInLoop, const std::vector<int64_t> &movings = positions()) {
  SCOPED_TRACE(body);
  Rewritten test(body);
  EXPECT_EQ(test.numInLoop(), numInLoop);
  checkSmall(test, movings);
  checkEnds(test);
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// %v, as `value` computes it, in all orders with an end, from either side; what is left of `at most` and of `at
/// least` in the loop.
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
static const std::string clamped = "%l = arith.maxsi %i, %least : i64\n%w = arith.minsi %l, %last64 : i64\n";

TEST(LoopTest, Number) {
  checkOrders("%v = arith.addi %i, %c0 : i64", 1, 1);
  checkOrders("%v = arith.extsi %e : i32 to i64", 2, 2);
  // A strict comparison with what may be the end of i64 stays: there is no number beyond it.
  check("%m = arith.minsi %i, %c10 : i64\n %t = arith.cmpi slt, %m, %a : i64", 2);
  check("%m = arith.maxsi %i, %c10 : i64\n %t = arith.cmpi sgt, %m, %a : i64", 2);
}

// What the constant forbids is one condition that does not change in the loop, and one `and`.
TEST(LoopTest, MinAndMax) {
  checkOrders("%v = arith.minsi %i, %c10 : i64", 1, 2);
  checkOrders("%v = arith.maxsi %i, %c10 : i64", 2, 1);
  checkAnyEnd("%v = arith.minsi %i, %c10 : i64", 1, 2);
  checkAnyEnd("%v = arith.maxsi %i, %c10 : i64", 2, 1);
  checkOrders("%m = arith.minsi %e, %i100 : i32\n%v = arith.extsi %m : i32 to i64", 2, 3);
  checkOrders("%m = arith.maxsi %e, %i100 : i32\n%v = arith.extsi %m : i32 to i64", 3, 2);
  checkOrders(clamped + "%v = arith.addi %w, %c0 : i64", 2, 2);
}

TEST(LoopTest, Sums) {
  checkOrders(wide + "%v = arith.addi %w, %c5 : i64", 2, 2);
  checkOrders(clamped + "%v = arith.addi %w, %c63 : i64", 2, 2);
  checkOrders(wide + "%p = arith.addi %w, %c5 : i64\n%v = arith.minsi %p, %c64 : i64", 2, 3);
  // These may wrap around.
  checkOrders("%v = arith.addi %i, %c5 : i64", 2, 2);
  checkOrders("%p = arith.addi %e, %i5 : i32\n%v = arith.extsi %p : i32 to i64", 3, 3);
  // The difference of the end and the constant may.
  checkAnyEnd(wide + "%v = arith.addi %w, %c5 : i64", 3, 3);
}

TEST(LoopTest, Products) {
  for (std::string factor : {"%c1", "%c16", "%c64", "%c128"})
    checkOrders(wide + "%v = arith.muli %w, " + factor + " : i64", 2, 2);
  checkAnyEnd(wide + "%v = arith.muli %w, %c64 : i64", 2, 3);
  checkOrders("%h = arith.shrsi %e, %i26 : i32\n%p = arith.muli %h, %i64 : i32\n%v = arith.extsi %p : i32 to i64", 3,
              3);
  // These may wrap around, or the factor is no power of two.
  checkOrders("%v = arith.muli %i, %c64 : i64", 2, 2);
  checkOrders("%p = arith.muli %e, %i64 : i32\n%v = arith.extsi %p : i32 to i64", 3, 3);
  checkOrders(wide + "%v = arith.muli %w, %c10 : i64", 3, 3);
  checkOrders(wide + "%c = arith.constant -64 : i64\n%v = arith.muli %w, %c : i64", 4, 4);
}

TEST(LoopTest, Casts) {
  checkOrders(clamped + "%n32 = arith.trunci %w : i64 to i32\n%v = arith.extsi %n32 : i32 to i64", 2, 2);
  checkOrders("%n32 = arith.trunci %i : i64 to i32\n%v = arith.extsi %n32 : i32 to i64", 3, 3);
  checkOrders("%l = arith.shli %i, %c48 : i64\n%v = arith.shrsi %l, %c48 : i64", 3, 3);
}

TEST(LoopTest, ConstantsAtTheEndsOfI64) {
  for (std::string predicate : {"sle", "slt", "sge", "sgt"})
    for (std::string end : {"%start", "%end"}) {
      SCOPED_TRACE(predicate + " " + end);
      std::string compare = "%t = arith.cmpi " + predicate;
      for (const std::string &text : {"%m = arith.minsi %i, %c10 : i64\n" + compare + ", %m, " + end + " : i64",
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

//===----------------------------------------------------------------------===//
// What is left of a length
//===----------------------------------------------------------------------===//

/// How many of 64 elements at a position the length has; %t and the suffix holds if it has all of them.
static std::string rest(const std::string &suffix, const std::string &position, const std::string &length = "%n",
                        const std::string &few = "%c0") {
  return "%neg" + suffix + " = arith.cmpi slt, " + position + ", %c0 : i64\n" +                         //
         "%dif" + suffix + " = arith.subi " + length + ", " + position + " : i64\n" +                   //
         "%sel" + suffix + " = arith.select %neg" + suffix + ", " + few + ", %dif" + suffix + " : i64\n" + //
         "%max" + suffix + " = arith.maxsi %sel" + suffix + ", %c0 : i64\n" +                           //
         "%min" + suffix + " = arith.minsi %max" + suffix + ", %c64 : i64\n" +                          //
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

/// Row %s + %b sees the columns from %p on, in i32; the row is clamped, and no position may wrap around.
static std::string causal(const std::string &position) {
  return R"(
    %row = arith.extsi %s : i32 to i64
    %below = arith.maxsi %b, %least : i64
    %offset = arith.minsi %below, %greatest : i64
    %sum = arith.addi %row, %offset : i64
    %far = arith.addi %sum, %c63 : i64
    %low = arith.maxsi )" + position + R"(, %least : i64
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
  const std::string both = blocks + rest("_p", "%p") + rest("_q", "%q") + "%two = arith.andi %t_p, %t_q : i1\n";
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
  check("%t0 = arith.cmpi sle, %i, %a : i64\n%t1 = arith.cmpi sge, %i, %b : i64\n%t = arith.ori %t0, %t1 : i1", 3);
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
  EXPECT_EQ(any.all<arith::DivSIOp>().size(), 1u) << "before a loop without trips the divisor may be 0";
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
  Rewritten test(position + causal("%p") + rest("_rest", "%p") + "%t = arith.andi %seen, %t_rest : i1");
  for (Operation &op : *test.getLoop()->getBlock())
    if (&op != test.getLoop() && op.getNumResults() == 1 && !isa<arith::ConstantOp, tile::DimOp>(op))
      EXPECT_FALSE(op.use_empty()) << "in front of the loop";
}

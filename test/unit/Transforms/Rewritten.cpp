//===- Rewritten.cpp - a test and what testInLoop makes of it --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Rewritten.h"
#include "LoopTest.h"

#include "mlir/IR/Verifier.h"
#include <numeric>
#include <random>

using namespace mlir;
using namespace tilec;
using namespace tilec::test;

static std::string textOf(const std::string &body) {
  std::string constants;
  for (int64_t number : {0, 1, 5, 10, 16, 26, 48, 63, 64, 100, 127, 128})
    constants +=
        "%c" + std::to_string(number) + " = arith.constant " + std::to_string(number) + " : i64\n";
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
    if (op && !loop.isDefinedOutsideOfLoop(value) && !isa<tile::LoadScalarOp>(op) &&
        found.insert(op))
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

static bool isFarFromEnds(int64_t number) {
  return number >= -(int64_t(1) << 62) && number <= int64_t(1) << 62;
}

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
  bool isFar =
      isFarFromEnds(point.fixed) && isFarFromEnds(point.moving) && isFarFromEnds(point.third);
  if (old == now || (old && !isFar))
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "fixed " << point.fixed << ", moving " << point.moving << ", third " << point.third
         << ": was " << old << ", is " << now;
}

void tilec::test::checkSmall(Rewritten &test, const std::vector<int64_t> &movings) {
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

void tilec::test::checkEnds(Rewritten &test) {
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

std::vector<int64_t> tilec::test::positions() {
  std::vector<int64_t> numbers(601);
  std::iota(numbers.begin(), numbers.end(), -200);
  return numbers;
}

void tilec::test::check(const std::string &body, unsigned numInLoop,
                        const std::vector<int64_t> &movings) {
  SCOPED_TRACE(body);
  Rewritten test(body);
  EXPECT_EQ(test.numInLoop(), numInLoop);
  checkSmall(test, movings);
  checkEnds(test);
}

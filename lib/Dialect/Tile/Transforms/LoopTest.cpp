//===- LoopTest.cpp - a test whose bounds are computed outside ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LoopTest.h"
#include "ScalarRange.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilec;

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant.getSExtValue()) : std::nullopt;
}

namespace {
/// What a number of the loop has to lie between, ends included. The ends are i64 in front of the loop.
struct Ends {
  SmallVector<Value> least, most;
};

class LoopTest {
public:
  LoopTest(scf::ForOp loop, Operation *at) : loop(loop), before(loop), here(at), loc(at->getLoc()) {}
  Value rewrite(Value test);

private:
  void addCondition(Value condition);
  void addComparison(arith::CmpIOp comparison);
  void demandAtMost(Value number, Value end);
  void demandAtLeast(Value number, Value end);
  bool demandRest(arith::SelectOp select, Value end);
  Value outsideOf(Value value);
  template <typename Op, typename... Args> Value outside(Args &&...args) {
    return before.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  Value constant(int64_t value) { return outside<arith::ConstantOp>(before.getI64IntegerAttr(value)); }
  Value minus(Value end, int64_t by) { return outside<arith::SubIOp>(end, constant(by)); }
  /// `end` if it is at least (at most) `other`, else `otherwise`.
  Value choose(arith::CmpIPredicate predicate, Value end, int64_t other, Value whereTrue, Value whereFalse) {
    return outside<arith::SelectOp>(outside<arith::CmpIOp>(predicate, end, constant(other)), whereTrue, whereFalse);
  }
  Value as(Type type, Value number);
  Value fromZero(Value number, Value most);
  void demandWithin(Value number, const Ends &ends);
  void demandOutside(Value condition) { fixed = fixed ? outside<arith::AndIOp>(fixed, condition) : condition; }
  void demand(Value condition) {
    result = result ? here.createOrFold<arith::AndIOp>(loc, result, condition) : condition;
  }

  scf::ForOp loop;
  OpBuilder before, here;
  Location loc;
  llvm::DenseMap<Value, Value> moved;
  llvm::MapVector<Value, Ends> numbers;
  Value fixed;  // what is demanded and does not change in the loop
  Value result; // the rest
};
} // namespace

/// `value` in front of the loop, if it does not change in it.
Value LoopTest::outsideOf(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 || !isPure(op) || !value.getType().isIntOrIndex())
    return {};
  auto [known, isNew] = moved.try_emplace(value);
  if (!isNew)
    return known->second;
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value same = outsideOf(operand);
    if (!same)
      return {};
    mapping.map(operand, same);
  }
  return moved[value] = before.clone(*op, mapping)->getResult(0);
}

static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
/// Differences of an end in this range and a constant in it stay in i64.
static constexpr ScalarRange half = {kLeast / 2, kMost / 2};

static bool isSmall(int64_t value) { return ScalarRange{value, value}.within(half); }

/// The operand in i64 or narrower whose value `number` has.
static Value withoutCast(Value number) {
  if (auto wide = number.getDefiningOp<arith::ExtSIOp>())
    return wide.getIn();
  auto narrow = number.getDefiningOp<arith::TruncIOp>();
  if (narrow && rangeOf(narrow.getIn()).within(rangeOfWidth(number.getType().getIntOrFloatBitWidth())))
    return narrow.getIn();
  return {};
}

/// The operand of `op` beside a constant that is small.
template <typename Op> static std::optional<std::pair<Value, int64_t>> beside(Value number) {
  auto op = number.getDefiningOp<Op>();
  std::optional<int64_t> constant = op ? constantOf(op.getRhs()) : std::nullopt;
  return constant && isSmall(*constant) ? std::optional(std::pair(op.getLhs(), *constant)) : std::nullopt;
}

static ScalarRange rangeOfType(Value number) { return rangeOfWidth(number.getType().getIntOrFloatBitWidth()); }

/// number + constant, or number * constant, without wrapping around.
static bool sumFits(Value number, int64_t constant) {
  ScalarRange range = rangeOf(number), sum;
  return !llvm::AddOverflow(range.min, constant, sum.min) && !llvm::AddOverflow(range.max, constant, sum.max) &&
         sum.within(rangeOfType(number));
}
static bool productFits(Value number, int64_t constant) {
  ScalarRange range = rangeOf(number), product;
  return !llvm::MulOverflow(range.min, constant, product.min) &&
         !llvm::MulOverflow(range.max, constant, product.max) && product.within(rangeOfType(number));
}

/// number <= end
void LoopTest::demandAtMost(Value number, Value end) {
  using enum arith::CmpIPredicate;
  bool isNear = rangeOf(end).within(half);
  if (Value same = withoutCast(number))
    return demandAtMost(same, end);
  if (auto least = beside<arith::MinSIOp>(number))
    return demandAtMost(least->first, choose(sge, end, least->second, constant(kMost), end));
  if (auto most = beside<arith::MaxSIOp>(number))
    return demandAtMost(most->first, choose(sge, end, most->second, end, constant(kLeast)));
  if (auto sum = beside<arith::AddIOp>(number); sum && isNear && sumFits(sum->first, sum->second))
    return demandAtMost(sum->first, minus(end, sum->second));
  if (auto product = beside<arith::MulIOp>(number);
      product && llvm::isPowerOf2_64(product->second) && productFits(product->first, product->second))
    return demandAtMost(product->first,
                        outside<arith::ShRSIOp>(end, constant(llvm::Log2_64(product->second))));
  numbers[number].most.push_back(end);
}

/// What is left of a length behind a position: 0 <= x <= length - end from select(x < 0, few, length - x) >= end.
bool LoopTest::demandRest(arith::SelectOp select, Value end) {
  auto negative = select.getCondition().getDefiningOp<arith::CmpIOp>();
  auto rest = select.getFalseValue().getDefiningOp<arith::SubIOp>();
  std::optional<int64_t> few = constantOf(select.getTrueValue());
  ScalarRange ends = rangeOf(end);
  if (!negative || !rest || !few || ends.min <= *few || ends.min < 0 ||
      negative.getPredicate() != arith::CmpIPredicate::slt || constantOf(negative.getRhs()) != 0 ||
      negative.getLhs() != rest.getRhs())
    return false;
  Value length = outsideOf(rest.getLhs());
  if (!length || rangeOf(length).min < 0)
    return false;
  demandAtLeast(rest.getRhs(), constant(0));
  demandAtMost(rest.getRhs(), outside<arith::SubIOp>(length, end));
  return true;
}

/// number >= end
void LoopTest::demandAtLeast(Value number, Value end) {
  using enum arith::CmpIPredicate;
  bool isNear = rangeOf(end).within(half);
  if (Value same = withoutCast(number))
    return demandAtLeast(same, end);
  if (auto least = beside<arith::MinSIOp>(number))
    return demandAtLeast(least->first, choose(sle, end, least->second, end, constant(kMost)));
  if (auto most = beside<arith::MaxSIOp>(number))
    return demandAtLeast(most->first, choose(sle, end, most->second, constant(kLeast), end));
  if (auto select = number.getDefiningOp<arith::SelectOp>(); select && demandRest(select, end))
    return;
  if (auto sum = beside<arith::AddIOp>(number); sum && isNear && sumFits(sum->first, sum->second))
    return demandAtLeast(sum->first, minus(end, sum->second));
  if (auto product = beside<arith::MulIOp>(number); product && isNear && llvm::isPowerOf2_64(product->second) &&
                                                    productFits(product->first, product->second))
    return demandAtLeast(product->first, outside<arith::ShRSIOp>(minus(end, 1 - product->second),
                                                                 constant(llvm::Log2_64(product->second))));
  numbers[number].least.push_back(end);
}

void LoopTest::addComparison(arith::CmpIOp comparison) {
  using enum arith::CmpIPredicate;
  arith::CmpIPredicate predicate = comparison.getPredicate();
  Value most = comparison.getLhs(), least = comparison.getRhs();
  if (predicate == sle || predicate == slt)
    std::swap(most, least);
  bool strictly = predicate == sgt || predicate == slt;
  bool isOrder = strictly || predicate == sge || predicate == sle;
  if (!isOrder || !most.getType().isInteger(64))
    return demand(comparison);
  Value fixedMost = outsideOf(most), fixedLeast = outsideOf(least);
  if (fixedMost && fixedLeast)
    return demandOutside(outside<arith::CmpIOp>(strictly ? sgt : sge, fixedMost, fixedLeast));
  if (fixedMost && (!strictly || rangeOf(most).min > kLeast))
    return demandAtMost(least, minus(fixedMost, strictly));
  if (fixedLeast && (!strictly || rangeOf(least).max < kMost))
    return demandAtLeast(most, minus(fixedLeast, -int64_t(strictly)));
  demand(comparison);
}

void LoopTest::addCondition(Value condition) {
  if (Value same = outsideOf(condition))
    return demandOutside(same);
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    addCondition(both.getLhs());
    return addCondition(both.getRhs());
  }
  if (auto comparison = condition.getDefiningOp<arith::CmpIOp>())
    return addComparison(comparison);
  demand(condition);
}

/// The number in i32 or in i64, which both have its value.
Value LoopTest::as(Type type, Value number) {
  unsigned wanted = type.getIntOrFloatBitWidth(), width = number.getType().getIntOrFloatBitWidth();
  if (width == wanted)
    return number;
  return width < wanted ? here.createOrFold<arith::ExtSIOp>(loc, type, number)
                        : here.createOrFold<arith::TruncIOp>(loc, type, number);
}

/// 0 <= number <= most as one unsigned comparison.
Value LoopTest::fromZero(Value number, Value most) {
  ScalarRange i32 = rangeOfWidth(32);
  bool isNarrow = rangeOf(number).within(i32);
  Type type = isNarrow ? here.getI32Type() : here.getI64Type();
  Value count = outside<arith::MinSIOp>(most, constant(isNarrow ? i32.max : kMost - 1));
  count = outside<arith::MaxSIOp>(outside<arith::AddIOp>(count, constant(1)), constant(0));
  if (Value condition = std::exchange(fixed, {}))
    count = outside<arith::SelectOp>(condition, count, constant(0));
  if (isNarrow)
    count = outside<arith::TruncIOp>(type, count);
  return here.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, as(type, number), count);
}

void LoopTest::demandWithin(Value number, const Ends &ends) {
  using enum arith::CmpIPredicate;
  Value least, most;
  for (Value end : ends.least)
    least = least ? outside<arith::MaxSIOp>(least, end) : end;
  for (Value end : ends.most)
    most = most ? outside<arith::MinSIOp>(most, end) : end;
  if (least && most && constantOf(least) == 0)
    return demand(fromZero(number, most));
  Value wide = as(here.getI64Type(), number);
  if (least)
    demand(here.createOrFold<arith::CmpIOp>(loc, sge, wide, least));
  if (most)
    demand(here.createOrFold<arith::CmpIOp>(loc, sle, wide, most));
}

Value LoopTest::rewrite(Value test) {
  addCondition(test);
  for (auto &[number, ends] : numbers)
    demandWithin(number, ends);
  if (fixed)
    demand(fixed);
  return result;
}

Value tilec::testInLoop(Value test, scf::ForOp loop, Operation *at) { return LoopTest(loop, at).rewrite(test); }

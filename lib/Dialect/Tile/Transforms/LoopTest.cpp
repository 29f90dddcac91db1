//===- LoopTest.cpp - a test whose bounds are computed outside ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LoopTest.h"
#include "LoopEnds.h"
#include "ScalarRange.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;
using enum arith::CmpIPredicate;

static constexpr ScalarRange i32 = {std::numeric_limits<int32_t>::min(),
                                    std::numeric_limits<int32_t>::max()};
static constexpr ScalarRange i64 = {std::numeric_limits<int64_t>::min(),
                                    std::numeric_limits<int64_t>::max()};

namespace {
class LoopTest {
public:
  LoopTest(scf::ForOp loop, Operation *at)
      : ends(loop, at->getLoc()), before(ends.before), here(at), loc(at->getLoc()) {}
  Value rewrite(Value test);

private:
  void addCondition(Value condition);
  void addComparison(arith::CmpIOp comparison);
  Value as(Type type, Value number);
  Value countOf(Value most, bool isNarrow);
  Value fromZero(Value number, Value most);
  void demandWithin(Value number, const LoopEnds::Ends &range);
  void demand(Value condition) {
    result = result ? here.createOrFold<arith::AndIOp>(loc, result, condition) : condition;
  }

  LoopEnds ends;
  BeforeLoop &before;
  OpBuilder here;
  Location loc;
  Value result;
};
} // namespace

void LoopTest::addComparison(arith::CmpIOp comparison) {
  arith::CmpIPredicate predicate = comparison.getPredicate();
  Value greater = comparison.getLhs(), less = comparison.getRhs();
  if (predicate == sle || predicate == slt)
    std::swap(greater, less);
  bool strictly = predicate == sgt || predicate == slt;
  bool isOrder = strictly || predicate == sge || predicate == sle;
  if (!isOrder || !greater.getType().isInteger(64))
    return demand(comparison);
  // Not both: a comparison that does not change is demanded outside.
  if (Value end = before.same(greater); end && (!strictly || rangeOf(end).min > i64.min))
    return ends.demandAtMost(less, before.minus(end, strictly));
  if (Value end = before.same(less); end && (!strictly || rangeOf(end).max < i64.max))
    return ends.demandAtLeast(greater, before.minus(end, -int64_t(strictly)));
  demand(comparison);
}

void LoopTest::addCondition(Value condition) {
  if (Value outside = before.same(condition))
    return ends.demandOutside(outside);
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

/// How many numbers from 0 on are at most `most`, as far as the type has them; none where what does
/// not change in the loop forbids all. The greatest i64 is never counted: the count would not fit.
Value LoopTest::countOf(Value most, bool isNarrow) {
  Value count =
      before.create<arith::MinSIOp>(most, before.constant(isNarrow ? i32.max : i64.max - 1));
  count = before.create<arith::AddIOp>(count, before.constant(1));
  count = before.create<arith::MaxSIOp>(count, before.constant(0));
  if (Value condition = ends.takeOutside())
    count = before.create<arith::SelectOp>(condition, count, before.constant(0));
  return isNarrow ? before.create<arith::TruncIOp>(here.getI32Type(), count) : count;
}

/// 0 <= number <= most as one unsigned comparison.
Value LoopTest::fromZero(Value number, Value most) {
  bool isNarrow = rangeOf(number).within(i32);
  Value count = countOf(most, isNarrow);
  return here.createOrFold<arith::CmpIOp>(loc, ult, as(count.getType(), number), count);
}

void LoopTest::demandWithin(Value number, const LoopEnds::Ends &range) {
  Value least, most;
  for (Value end : range.least)
    least = least ? before.create<arith::MaxSIOp>(least, end) : end;
  for (Value end : range.most)
    most = most ? before.create<arith::MinSIOp>(most, end) : end;
  if (least && most && matchPattern(least, m_Zero()))
    return demand(fromZero(number, most));
  Value wide = as(here.getI64Type(), number);
  if (least)
    demand(here.createOrFold<arith::CmpIOp>(loc, sge, wide, least));
  if (most)
    demand(here.createOrFold<arith::CmpIOp>(loc, sle, wide, most));
}

Value LoopTest::rewrite(Value test) {
  addCondition(test);
  for (const auto &[number, range] : ends.getNumbers())
    demandWithin(number, range);
  if (Value condition = ends.takeOutside())
    demand(condition);
  before.eraseUnused(result);
  return result;
}

Value tilec::testInLoop(Value test, scf::ForOp loop, Operation *at) {
  return LoopTest(loop, at).rewrite(test);
}

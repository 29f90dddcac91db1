//===- MaskTest.cpp - is a mask equal in all elements of a tile? ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "MaskTest.h"
#include "ScalarRange.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;

/// Sums and differences of bounds in this range stay inside of i64.
static constexpr ScalarRange safe = {-(int64_t(1) << 61), int64_t(1) << 61};

Value MaskTest::build(Value mask, bool wanted) {
  Value test = holds(mask, wanted, boxOf(mask));
  for (Value condition : conditions)
    test = both(test, condition);
  return test;
}

void MaskTest::eraseUnused() {
  for (Operation *op : llvm::reverse(created))
    if (op->use_empty())
      op->erase();
  created.clear();
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

MaskTest::Box MaskTest::boxOf(Value fragment) {
  Box box;
  for (int64_t extent : cast<RankedTensorType>(fragment.getType()).getShape())
    box.push_back({0, extent});
  return box;
}

MaskTest::Box MaskTest::boxOfSource(tile::BroadcastOp broadcast, const Box &box) {
  Box source;
  for (int64_t axis : broadcast.getDims())
    source.push_back(box[axis]);
  return source;
}

template <typename Box> static bool isEmpty(const Box &box) {
  return llvm::any_of(box, [](const auto &range) { return range.first >= range.end; });
}

/// The axis that the positions are those of, if it is one.
static std::optional<int64_t> axisOfPositions(Value fragment) {
  if (fragment.getDefiningOp<tile::IotaOp>())
    return 0;
  auto broadcast = fragment.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast || broadcast.getDims().empty())
    return std::nullopt;
  std::optional<int64_t> axis = axisOfPositions(broadcast.getSource());
  return axis ? std::optional(broadcast.getDims()[*axis]) : std::nullopt;
}

/// An axis and the position on it below which, and only below which, the condition holds.
static std::optional<std::pair<int64_t, int64_t>> splitOf(Value condition) {
  if (auto broadcast = condition.getDefiningOp<tile::BroadcastOp>();
      broadcast && !broadcast.getDims().empty()) {
    auto split = splitOf(broadcast.getSource());
    if (split)
      split->first = broadcast.getDims()[split->first];
    return split;
  }
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  APInt bound;
  if (!comparison || !matchPattern(comparison.getRhs(), m_ConstantInt(&bound)))
    return std::nullopt;
  std::optional<int64_t> axis = axisOfPositions(comparison.getLhs());
  if (!axis || bound.isNegative() || bound.isMaxSignedValue())
    return std::nullopt;
  switch (comparison.getPredicate()) { // positions are not negative
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return std::pair(*axis, bound.getSExtValue());
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return std::pair(*axis, bound.getSExtValue() + 1);
  default:
    return std::nullopt;
  }
}

std::pair<MaskTest::Box, MaskTest::Box> MaskTest::boxesOf(arith::SelectOp select, const Box &box) {
  std::pair<Box, Box> boxes{box, box};
  if (auto split = splitOf(select.getCondition())) {
    auto [axis, position] = *split;
    boxes.first[axis].end = std::min(box[axis].end, position);
    boxes.second[axis].first = std::max(box[axis].first, position);
  }
  return boxes;
}

//===----------------------------------------------------------------------===//
// Truth: null means that nothing is known
//===----------------------------------------------------------------------===//

Value MaskTest::truth(bool value) { return create<arith::ConstantOp>(builder.getBoolAttr(value)); }

Value MaskTest::both(Value a, Value b) {
  if (!a || !b)
    return {};
  return create<arith::AndIOp>(a, b);
}

Value MaskTest::either(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return create<arith::OrIOp>(a, b);
}

Value MaskTest::holds(arith::SelectOp select, bool wanted, const Box &box) {
  auto [first, second] = boxesOf(select, box);
  if (isEmpty(first) || isEmpty(second))
    return isEmpty(first) ? holds(select.getFalseValue(), wanted, second)
                          : holds(select.getTrueValue(), wanted, first);
  Value left = holds(select.getTrueValue(), wanted, first);
  return left ? both(left, holds(select.getFalseValue(), wanted, second)) : left;
}

Value MaskTest::holds(Value mask, bool wanted, const Box &box) {
  DenseIntElementsAttr elements;
  if (matchPattern(mask, m_Constant(&elements)))
    return elements.isSplat() ? truth(elements.getSplatValue<bool>() == wanted) : Value();
  auto side = [&](Operation *op, unsigned index) {
    return holds(op->getOperand(index), wanted, box);
  };
  Operation *op = mask.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    bool all = isa<arith::AndIOp>(op) == wanted;
    Value left = side(op, 0);
    return all ? (left ? both(left, side(op, 1)) : left) : either(left, side(op, 1));
  }
  if (auto negation = dyn_cast_or_null<arith::XOrIOp>(op);
      negation && matchPattern(negation.getRhs(), m_One()))
    return holds(negation.getLhs(), !wanted, box);
  if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op)) {
    Value source = broadcast.getSource();
    if (isa<RankedTensorType>(source.getType()))
      return holds(source, wanted, boxOfSource(broadcast, box));
    return wanted ? source : create<arith::XOrIOp>(source, truth(true));
  }
  if (auto comparison = dyn_cast_or_null<arith::CmpIOp>(op)) {
    std::optional<Interval> a = intervalOf(comparison.getLhs(), box);
    std::optional<Interval> b = a ? intervalOf(comparison.getRhs(), box) : std::nullopt;
    arith::CmpIPredicate predicate = comparison.getPredicate();
    if (b)
      return compare(wanted ? predicate : arith::invertPredicate(predicate), *a, *b);
  }
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op);
      select && isa<RankedTensorType>(select.getCondition().getType()))
    return holds(select, wanted, box);
  return {};
}

/// An i1 that holds only if the comparison does for all values of `a` and `b`.
Value MaskTest::compare(arith::CmpIPredicate predicate, const Interval &a, const Interval &b) {
  using enum arith::CmpIPredicate;
  bool nonNegative = a.least.min >= 0 && b.least.min >= 0;
  switch (predicate) {
  case eq:
    return both(atLeast(a.least, b.greatest), atLeast(b.least, a.greatest));
  case ne:
    return either(atLeast(a.least, b.greatest, /*strictly=*/true),
                  atLeast(b.least, a.greatest, /*strictly=*/true));
  case sge:
    return atLeast(a.least, b.greatest);
  case sgt:
    return atLeast(a.least, b.greatest, /*strictly=*/true);
  case sle:
    return atLeast(b.least, a.greatest);
  case slt:
    return atLeast(b.least, a.greatest, /*strictly=*/true);
  case uge:
    return nonNegative ? compare(sge, a, b) : Value();
  case ugt:
    return nonNegative ? compare(sgt, a, b) : Value();
  case ule:
    return nonNegative ? compare(sle, a, b) : Value();
  case ult:
    return nonNegative ? compare(slt, a, b) : Value();
  }
  llvm_unreachable("unknown predicate");
}

Value MaskTest::atLeast(const Bound &a, const Bound &b, bool strictly) {
  if (a.min > b.max || (!strictly && a.min == b.max))
    return truth(true);
  if (a.max < b.min || (strictly && a.max == b.min))
    return truth(false);
  return create<arith::CmpIOp>(strictly ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::sge,
                               a.value, b.value);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

MaskTest::Bound MaskTest::constant(int64_t value) {
  return {create<arith::ConstantOp>(builder.getI64IntegerAttr(value)), value, value};
}

MaskTest::Bound MaskTest::sum(const Bound &a, const Bound &b) {
  return {create<arith::AddIOp>(a.value, b.value), a.min + b.min, a.max + b.max};
}

MaskTest::Bound MaskTest::difference(const Bound &a, const Bound &b) {
  return {create<arith::SubIOp>(a.value, b.value), a.min - b.max, a.max - b.min};
}

MaskTest::Bound MaskTest::lesser(const Bound &a, const Bound &b) {
  return {create<arith::MinSIOp>(a.value, b.value), std::min(a.min, b.min), std::min(a.max, b.max)};
}

MaskTest::Bound MaskTest::greater(const Bound &a, const Bound &b) {
  return {create<arith::MaxSIOp>(a.value, b.value), std::max(a.min, b.min), std::max(a.max, b.max)};
}

std::optional<MaskTest::Interval> MaskTest::intervalOfScalar(Value scalar) {
  ScalarRange range = rangeOf(scalar);
  if (!range.within(safe))
    return std::nullopt;
  Value value = scalar;
  // A narrowing that changes nothing is looked through: its source is the i64 wanted.
  if (auto narrowed = value.getDefiningOp<arith::TruncIOp>())
    if (rangeOf(narrowed.getIn()).within(rangeOfWidth(value.getType().getIntOrFloatBitWidth())))
      value = narrowed.getIn();
  if (!value.getType().isInteger(64))
    value = create<arith::ExtSIOp>(builder.getI64Type(), value);
  Bound bound{value, range.min, range.max};
  return Interval{bound, bound};
}

static bool isIntegerFragment(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isSignlessInteger() && !type.getElementType().isInteger(1);
}

std::optional<MaskTest::Interval> MaskTest::intervalOf(arith::SelectOp select, const Box &box) {
  auto [first, second] = boxesOf(select, box);
  if (isEmpty(first) || isEmpty(second))
    return isEmpty(first) ? intervalOf(select.getFalseValue(), second)
                          : intervalOf(select.getTrueValue(), first);
  std::optional<Interval> a = intervalOf(select.getTrueValue(), first);
  std::optional<Interval> b = a ? intervalOf(select.getFalseValue(), second) : std::nullopt;
  if (!b)
    return std::nullopt;
  return Interval{lesser(a->least, b->least), greater(a->greatest, b->greatest)};
}

std::optional<MaskTest::Interval> MaskTest::intervalOf(Value fragment, const Box &box) {
  if (!isIntegerFragment(fragment))
    return std::nullopt;
  auto type = cast<RankedTensorType>(fragment.getType());
  DenseIntElementsAttr elements;
  if (matchPattern(fragment, m_Constant(&elements))) {
    auto values = elements.getValues<APInt>();
    auto less = [](const APInt &a, const APInt &b) { return a.slt(b); };
    Interval all{constant((*llvm::min_element(values, less)).getSExtValue()),
                 constant((*llvm::max_element(values, less)).getSExtValue())};
    return ScalarRange{all.least.min, all.greatest.max}.within(safe) ? std::optional(all)
                                                                     : std::nullopt;
  }
  Operation *op = fragment.getDefiningOp();
  if (isa_and_nonnull<tile::IotaOp>(op))
    return Interval{constant(box.front().first), constant(box.front().end - 1)};
  if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op)) {
    Value source = broadcast.getSource();
    return isa<RankedTensorType>(source.getType()) ? intervalOf(source, boxOfSource(broadcast, box))
                                                   : intervalOfScalar(source);
  }
  if (isa_and_nonnull<arith::ExtSIOp>(op))
    return intervalOf(op->getOperand(0), box);
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op);
      select && isa<RankedTensorType>(select.getCondition().getType()))
    return intervalOf(select, box);
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<Interval> a = intervalOf(op->getOperand(0), box);
  APInt factor;
  if (a && isa<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&factor)))
    if (std::optional<Interval> product = scaled(*a, factor.getSExtValue()))
      return withoutWrapping(*product, type.getElementType());
  std::optional<Interval> b = a ? intervalOf(op->getOperand(1), box) : std::nullopt;
  if (!b || isa<arith::MulIOp>(op))
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return withoutWrapping({sum(a->least, b->least), sum(a->greatest, b->greatest)},
                           type.getElementType());
  return withoutWrapping({difference(a->least, b->greatest), difference(a->greatest, b->least)},
                         type.getElementType());
}

/// Nothing if the product might leave i64.
std::optional<MaskTest::Interval> MaskTest::scaled(const Interval &interval, int64_t factor) {
  auto times = [&](const Bound &bound) -> std::optional<Bound> {
    int64_t first = 0, second = 0;
    if (llvm::MulOverflow(bound.min, factor, first) || llvm::MulOverflow(bound.max, factor, second))
      return std::nullopt;
    Value product = create<arith::MulIOp>(bound.value, constant(factor).value);
    return Bound{product, std::min(first, second), std::max(first, second)};
  };
  std::optional<Bound> least = times(interval.least), greatest = times(interval.greatest);
  if (!least || !greatest)
    return std::nullopt;
  return factor < 0 ? Interval{*greatest, *least} : Interval{*least, *greatest};
}

/// The interval of values of `element`, under the condition, where it is needed, that computing
/// them there wraps none around. Nothing if bounds might leave i64 later.
std::optional<MaskTest::Interval> MaskTest::withoutWrapping(Interval interval, Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 64)
    return ScalarRange{interval.least.min, interval.greatest.max}.within(safe)
               ? std::optional(interval)
               : std::nullopt;
  ScalarRange all = rangeOfWidth(width);
  if (interval.least.min < all.min)
    conditions.push_back(atLeast(interval.least, constant(all.min)));
  if (interval.greatest.max > all.max)
    conditions.push_back(atLeast(constant(all.max), interval.greatest));
  for (Bound *bound : {&interval.least, &interval.greatest}) {
    bound->min = std::clamp(bound->min, all.min, all.max);
    bound->max = std::clamp(bound->max, all.min, all.max);
  }
  return interval;
}

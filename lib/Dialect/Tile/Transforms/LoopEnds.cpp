//===- LoopEnds.cpp - what a loop's numbers lie between -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LoopEnds.h"
#include "ScalarRange.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;
using enum arith::CmpIPredicate;

/// Differences of an end in this range and a constant in it stay in i64.
static constexpr ScalarRange half = {std::numeric_limits<int64_t>::min() / 2,
                                     std::numeric_limits<int64_t>::max() / 2};

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant.getSExtValue())
                                                       : std::nullopt;
}

/// The operand in i64 or narrower whose value `number` has.
static Value withoutCast(Value number) {
  if (auto wide = number.getDefiningOp<arith::ExtSIOp>())
    return wide.getIn();
  auto narrow = number.getDefiningOp<arith::TruncIOp>();
  if (narrow &&
      rangeOf(narrow.getIn()).within(rangeOfWidth(number.getType().getIntOrFloatBitWidth())))
    return narrow.getIn();
  return {};
}

/// The operand of `Op` beside a constant in `half`.
template <typename Op> static std::optional<std::pair<Value, int64_t>> beside(Value number) {
  auto op = number.getDefiningOp<Op>();
  std::optional<int64_t> constant = op ? constantOf(op.getRhs()) : std::nullopt;
  return constant && ScalarRange{*constant, *constant}.within(half)
             ? std::optional(std::pair(op.getLhs(), *constant))
             : std::nullopt;
}

static ScalarRange rangeOfType(Value number) {
  return rangeOfWidth(number.getType().getIntOrFloatBitWidth());
}

/// number + constant without wrapping around.
static bool sumFits(Value number, int64_t constant) {
  ScalarRange range = rangeOf(number), sum;
  return !llvm::AddOverflow(range.min, constant, sum.min) &&
         !llvm::AddOverflow(range.max, constant, sum.max) && sum.within(rangeOfType(number));
}

/// number * constant, a power of two, without wrapping around.
static bool productFits(Value number, int64_t constant) {
  ScalarRange range = rangeOf(number), product;
  return llvm::isPowerOf2_64(constant) && !llvm::MulOverflow(range.min, constant, product.min) &&
         !llvm::MulOverflow(range.max, constant, product.max) &&
         product.within(rangeOfType(number));
}

void LoopEnds::demandOutside(Value condition) {
  fixed = fixed ? before.create<arith::AndIOp>(fixed, condition) : condition;
}

void LoopEnds::demandAtMost(Value number, Value end) {
  auto endIsAtLeast = [&](int64_t value) {
    return before.create<arith::CmpIOp>(sge, end, before.constant(value));
  };
  if (Value same = withoutCast(number))
    return demandAtMost(same, end);
  if (auto least = beside<arith::MinSIOp>(number)) {
    auto [other, constant] = *least;
    Value any = before.constant(rangeOf(other).max);
    return demandAtMost(other, before.create<arith::SelectOp>(endIsAtLeast(constant), any, end));
  }
  if (auto most = beside<arith::MaxSIOp>(number)) {
    demandOutside(endIsAtLeast(most->second));
    return demandAtMost(most->first, end);
  }
  if (auto sum = beside<arith::AddIOp>(number);
      sum && sumFits(sum->first, sum->second) && rangeOf(end).within(half))
    return demandAtMost(sum->first, before.minus(end, sum->second));
  if (auto product = beside<arith::MulIOp>(number);
      product && productFits(product->first, product->second))
    return demandAtMost(
        product->first, // rounded down
        before.create<arith::ShRSIOp>(end, before.constant(llvm::Log2_64(product->second))));
  numbers[number].most.push_back(end);
}

/// What is left of a length behind a position: from select(x < 0, few, length - x) >= end follows
/// 0 <= x <= length - end.
bool LoopEnds::demandRest(arith::SelectOp select, Value end) {
  auto negative = select.getCondition().getDefiningOp<arith::CmpIOp>();
  auto rest = select.getFalseValue().getDefiningOp<arith::SubIOp>();
  std::optional<int64_t> few = constantOf(select.getTrueValue());
  ScalarRange endRange = rangeOf(end);
  if (!negative || !rest || !few || endRange.min <= *few || endRange.min < 0 ||
      negative.getPredicate() != slt || constantOf(negative.getRhs()) != 0 ||
      negative.getLhs() != rest.getRhs())
    return false;
  Value length = before.same(rest.getLhs());
  if (!length || rangeOf(length).min < 0)
    return false;
  // Neither difference wraps around: a length, a position from 0 and the end are not negative.
  demandAtLeast(rest.getRhs(), before.constant(0));
  demandAtMost(rest.getRhs(), before.create<arith::SubIOp>(before.wide(length), end));
  return true;
}

void LoopEnds::demandAtLeast(Value number, Value end) {
  auto endIsAtMost = [&](int64_t value) {
    return before.create<arith::CmpIOp>(sle, end, before.constant(value));
  };
  if (Value same = withoutCast(number))
    return demandAtLeast(same, end);
  if (auto least = beside<arith::MinSIOp>(number)) {
    demandOutside(endIsAtMost(least->second));
    return demandAtLeast(least->first, end);
  }
  if (auto most = beside<arith::MaxSIOp>(number)) {
    auto [other, constant] = *most;
    Value any = before.constant(rangeOf(other).min);
    return demandAtLeast(other, before.create<arith::SelectOp>(endIsAtMost(constant), any, end));
  }
  if (auto select = number.getDefiningOp<arith::SelectOp>(); select && demandRest(select, end))
    return;
  bool isNear = rangeOf(end).within(half);
  if (auto sum = beside<arith::AddIOp>(number); sum && isNear && sumFits(sum->first, sum->second))
    return demandAtLeast(sum->first, before.minus(end, sum->second));
  if (auto product = beside<arith::MulIOp>(number);
      product && isNear && productFits(product->first, product->second)) {
    auto [factor, constant] = *product;
    Value above = before.minus(end, 1 - constant); // rounded up
    return demandAtLeast(
        factor, before.create<arith::ShRSIOp>(above, before.constant(llvm::Log2_64(constant))));
  }
  numbers[number].least.push_back(end);
}

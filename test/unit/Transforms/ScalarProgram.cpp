//===- ScalarProgram.cpp - scalars of `arith`, computed often --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::test;

namespace {
/// Comparisons are kCompare plus their predicate.
enum Kind {
  kNone,
  kAdd,
  kSub,
  kMul,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXOr,
  kSame,
  kSelect,
  kLeft,
  kRight,
  kDivide,
  kCompare
};
} // namespace

static int kindOf(Operation *op) {
  return TypeSwitch<Operation *, int>(op)
      .Case([](arith::AddIOp) { return kAdd; })
      .Case([](arith::SubIOp) { return kSub; })
      .Case([](arith::MulIOp) { return kMul; })
      .Case([](arith::MinSIOp) { return kMin; })
      .Case([](arith::MaxSIOp) { return kMax; })
      .Case([](arith::AndIOp) { return kAnd; })
      .Case([](arith::OrIOp) { return kOr; })
      .Case([](arith::XOrIOp) { return kXOr; })
      .Case<arith::ExtSIOp, arith::TruncIOp>([](auto) { return kSame; })
      .Case([](arith::SelectOp) { return kSelect; })
      .Case([](arith::ShLIOp) { return kLeft; })
      .Case([](arith::ShRSIOp) { return kRight; })
      .Case([](arith::DivSIOp) { return kDivide; })
      .Case([](arith::CmpIOp compare) { return kCompare + int(compare.getPredicate()); })
      .Default(int(kNone));
}

ScalarProgram::ScalarProgram(ArrayRef<Value> results) {
  for (Value result : results)
    add(result);
}

unsigned ScalarProgram::widthOf(Value value) { return value.getType().getIntOrFloatBitWidth(); }

unsigned ScalarProgram::add(Value value) {
  if (auto known = slots.find(value); known != slots.end())
    return known->second;
  Step step{value.getDefiningOp(), kNone, widthOf(value), 0, {}};
  APInt constant;
  bool isConstant = matchPattern(value, m_ConstantInt(&constant));
  if (step.op && !isConstant && (step.kind = kindOf(step.op)) != kNone)
    for (auto [index, operand] : llvm::enumerate(step.op->getOperands()))
      step.operands[index] = add(operand);
  step.result = slots[value] = numbers.size();
  numbers.push_back(isConstant ? constant.getSExtValue() : 0);
  if (step.kind != kNone)
    steps.push_back(step);
  else if (!isConstant)
    leaves.push_back(value);
  return step.result;
}

void ScalarProgram::run() {
  for (const Step &step : steps)
    numbers[step.result] = wrapped(compute(step), step.width);
}

/// Signed numbers of one width are in the same order as unsigned ones if both are read as unsigned.
static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
  case eq:
    return a == b;
  case ne:
    return a != b;
  case slt:
    return a < b;
  case sle:
    return a <= b;
  case sgt:
    return a > b;
  case sge:
    return a >= b;
  case ult:
    return uint64_t(a) < uint64_t(b);
  case ule:
    return uint64_t(a) <= uint64_t(b);
  case ugt:
    return uint64_t(a) > uint64_t(b);
  case uge:
    return uint64_t(a) >= uint64_t(b);
  }
  llvm_unreachable("unknown predicate");
}

int64_t ScalarProgram::compute(const Step &step) const {
  int64_t a = numbers[step.operands[0]], b = numbers[step.operands[1]];
  uint64_t left = a, right = b;
  switch (step.kind) {
  case kAdd:
    return left + right;
  case kSub:
    return left - right;
  case kMul:
    return left * right;
  case kMin:
    return std::min(a, b);
  case kMax:
    return std::max(a, b);
  case kAnd:
    return a & b;
  case kOr:
    return a | b;
  case kXOr:
    return a ^ b;
  case kSame:
    return a;
  case kSelect:
    return a ? b : numbers[step.operands[2]];
  case kLeft:
    return left << (right & 63);
  case kRight:
    return a >> (right & 63);
  case kDivide:
    return b == 0 ? 0 : b == -1 ? -left : a / b;
  default:
    return -int64_t(compare(arith::CmpIPredicate(step.kind - kCompare), a, b));
  }
}

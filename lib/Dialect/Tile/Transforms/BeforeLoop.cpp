//===- BeforeLoop.cpp - what is computed in front of a loop ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "BeforeLoop.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilec;

/// May be computed where the loop perhaps makes no trip: a division may not, unless its divisor is
/// known.
static bool isMovable(Operation *op) {
  return op && op->getNumResults() == 1 && op->getNumRegions() == 0 && isPure(op) &&
         op->getResult(0).getType().isIntOrIndex();
}

Value BeforeLoop::same(Value value) {
  // What the body uses and does not define is in front of the loop.
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!isMovable(op))
    return {};
  if (auto known = copies.find(value); known != copies.end())
    return known->second;
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value copy = same(operand);
    if (!copy)
      return copies[value] = {};
    mapping.map(operand, copy);
  }
  return copies[value] = builder.clone(*op, mapping)->getResult(0);
}

Value BeforeLoop::constant(int64_t value) {
  return create<arith::ConstantOp>(builder.getI64IntegerAttr(value));
}

Value BeforeLoop::wide(Value value) {
  Type i64 = builder.getI64Type();
  return value.getType() == i64 ? value : create<arith::ExtSIOp>(i64, value);
}

Value BeforeLoop::minus(Value end, int64_t by) { return create<arith::SubIOp>(end, constant(by)); }

void BeforeLoop::eraseUnused(Value result) {
  for (Operation *op : llvm::reverse(created))
    if (op->use_empty() && op != result.getDefiningOp())
      op->erase();
  created.clear();
}

//===- ComputeAgain.cpp - scores once more, where registers are short ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ComputeAgain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

static bool isWord(Value value) {
  return value.getType().isInteger(32) || value.getType().isInteger(64);
}

static bool isNumber(Value value) {
  return isa<IntegerType>(value.getType()) && !value.getDefiningOp<arith::ConstantOp>();
}

/// Replaces in `op` and inside of it what comes from elsewhere.
static void replaceOuter(Operation *op, llvm::function_ref<Value(Value)> replacement) {
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      Operation *definition = operand.get().getDefiningOp();
      bool isInner = definition ? op->isAncestor(definition)
                                : op->isAncestor(operand.get().getParentRegion()->getParentOp());
      if (!isInner && isNumber(operand.get()))
        operand.set(replacement(operand.get()));
    }
  });
}

/// A number computed anew at `b` from what the kernel starts with or the loop carries.
static Value anew(OpBuilder &b, Value value, DenseMap<Value, Value> &known) {
  if (!isNumber(value))
    return value;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  Value result = value;
  if (op && isa<arith::ArithDialect>(op->getDialect()) && isPure(op) && op->getNumResults() == 1) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, anew(b, operand, known));
    result = b.clone(*op, mapping)->getResult(0);
  } else if (isWord(value)) {
    result = sm::OpaqueOp::create(b, value.getLoc(), value);
  }
  return known[value] = result;
}

/// An iteration computes its addresses for itself: registers are short here, and time is not.
static void keepInside(scf::ForOp loop) {
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  DenseMap<Value, Value> known;
  auto here = [&](Value value) -> Value {
    if (!isWord(value))
      return value;
    Value &result = known[value];
    return result ? result : result = sm::OpaqueOp::create(b, loop.getLoc(), value);
  };
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody()))
    replaceOuter(
        &op, [&](Value value) { return loop.isDefinedOutsideOfLoop(value) ? here(value) : value; });
}

Value tilec::computeScoresAgain(OpBuilder &b, sm::AgainOp again) {
  Block &body = again.getBody().front();
  IRMapping mapping;
  DenseMap<Value, Value> known;
  for (Operation &op : body.without_terminator()) {
    Operation *copy = b.clone(op, mapping);
    OpBuilder front(copy);
    replaceOuter(copy, [&](Value value) {
      Operation *definition = value.getDefiningOp();
      return definition && definition->getBlock() == copy->getBlock() ? value
                                                                      : anew(front, value, known);
    });
    if (auto loop = dyn_cast<scf::ForOp>(copy))
      keepInside(loop);
  }
  return mapping.lookupOrDefault(cast<sm::YieldOp>(body.getTerminator()).getValue());
}

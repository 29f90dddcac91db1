//===- RecomputeInItems.cpp - addresses of a work item, near their uses -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilec {
#define GEN_PASS_DEF_RECOMPUTEINITEMSPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

static bool hasLoop(Operation &op) {
  return op.walk([](scf::ForOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

static bool isWord(Type type) { return type.isInteger(32) || type.isInteger(64); }

namespace {
/// One stretch of an item's code without a loop in it, from `first` on.
class Stretch {
public:
  Stretch(scf::ForOp item, Operation *first, bool isFirst)
      : item(item), first(first), isFirst(isFirst), builder(first) {}
  void visit(Operation &op, const DenseSet<Value> &inLoops);
  unsigned recomputed = 0;

private:
  bool isOld(Value value);
  bool isArithmetic(Operation *op);
  Value again(Value value);

  scf::ForOp item;
  Operation *first;
  bool isFirst;      // of the item
  OpBuilder builder; // in front of the stretch
  DenseMap<Value, Value> known;
};
} // namespace

/// True if `value` comes from outside of the loop, or from before a loop that stands in front of
/// here.
bool Stretch::isOld(Value value) {
  if (item.isDefinedOutsideOfLoop(value))
    return true;
  if (value == item.getInductionVar())
    return !isFirst;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == item.getBody() && op->isBeforeInBlock(first);
}

bool Stretch::isArithmetic(Operation *op) {
  return op && isa<arith::ArithDialect>(op->getDialect()) && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return isWord(type) || type.isInteger(1); });
}

/// `value` computed anew from what stays in registers anyway.
Value Stretch::again(Value value) {
  bool isInteger = isWord(value.getType()) || value.getType().isInteger(1);
  if (!isInteger || matchPattern(value, m_Constant()) || !isOld(value))
    return value;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Value result = value;
  if (auto opaque = value.getDefiningOp<sm::OpaqueOp>()) { // of an earlier stretch
    result = again(opaque.getValue());
  } else if (Operation *op = value.getDefiningOp(); isArithmetic(op)) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, again(operand));
    result = builder.clone(*op, mapping)->getResult(0);
    ++recomputed;
  } else if (isWord(value.getType()) && (!op || item.isDefinedOutsideOfLoop(value))) {
    result = sm::OpaqueOp::create(builder, value.getLoc(), value);
  }
  return known[value] = result;
}

void Stretch::visit(Operation &op, const DenseSet<Value> &inLoops) {
  op.walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      if (!inLoops.contains(operand.get()))
        operand.set(again(operand.get()));
  });
}

namespace {
class RecomputeInItems : public tilec::impl::RecomputeInItemsPassBase<RecomputeInItems> {
public:
  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(tile::TileDialect::tileLoopAttrName))
        visit(loop);
    });
  }

private:
  void visit(scf::ForOp item) {
    SmallVector<Operation *> ops;
    DenseSet<Value> inLoops; // in registers all the time
    for (Operation &op : item.getBody()->without_terminator()) {
      ops.push_back(&op);
      if (hasLoop(op))
        op.walk([&](Operation *inner) { inLoops.insert_range(inner->getOperands()); });
    }
    std::optional<Stretch> stretch;
    for (Operation *op : ops) {
      if (hasLoop(*op)) {
        stretch.reset();
        continue;
      }
      if (!stretch)
        stretch.emplace(item, op, op == ops.front());
      unsigned before = stretch->recomputed;
      stretch->visit(*op, inLoops);
      numRecomputed += stretch->recomputed - before;
    }
  }
};
} // namespace

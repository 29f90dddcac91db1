//===- PrefetchIndices.cpp - block lists one trip ahead -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace tilec {
#define GEN_PASS_DEF_PREFETCHINDICESPASS
#include "tilec/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

/// True if it comes from outside of the loop, or is plain arithmetic on the loop's counter.
static bool isOfCounter(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumResults() == 1 && op->getNumRegions() == 0 && isPure(op) &&
         value.getType().isIntOrIndex() &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isOfCounter(operand, loop); });
}

/// True if all indices are known an iteration ahead.
static bool isPrefetchable(tile::LoadScalarOp load, scf::ForOp loop) {
  return llvm::all_of(load->getOperands(),
                      [&](Value operand) { return isOfCounter(operand, loop); });
}

/// What `value` is with what `mapping` has for the counter.
static Value cloneOfCounter(OpBuilder &builder, Value value, scf::ForOp loop, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    (void)cloneOfCounter(builder, operand, loop, mapping);
  return builder.clone(*op, mapping)->getResult(0);
}

/// The loop with the values of `loads` carried; the loads themselves are gone.
static void prefetch(scf::ForOp loop, ArrayRef<tile::LoadScalarOp> loads) {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first;
  IRMapping atStart;
  atStart.map(loop.getInductionVar(), loop.getLowerBound());
  for (tile::LoadScalarOp load : loads)
    first.push_back(cloneOfCounter(rewriter, load, loop, atStart));
  DictionaryAttr attributes = loop->getDiscardableAttrDictionary();
  unsigned carriedBefore = loop.getNumRegionIterArgs();
  auto yield = [&](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
    return SmallVector<Value>(added.begin(), added.end());
  };
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false, yield));
  carrying->setDiscardableAttrs(attributes);

  rewriter.setInsertionPointToStart(carrying.getBody());
  Value counter = carrying.getInductionVar();
  Value next = arith::AddIOp::create(rewriter, carrying.getLoc(), counter, carrying.getStep());
  Operation *terminator = carrying.getBody()->getTerminator();
  IRMapping atNext;
  atNext.map(counter, next);
  SmallVector<Value> following;
  for (tile::LoadScalarOp load : loads)
    following.push_back(cloneOfCounter(rewriter, load, carrying, atNext));
  for (auto [index, load, ahead] : llvm::enumerate(loads, following)) {
    terminator->setOperand(carriedBefore + index, ahead);
    rewriter.replaceOp(load, carrying.getRegionIterArgs()[carriedBefore + index]);
  }
}

namespace {
class PrefetchIndices : public tilec::impl::PrefetchIndicesPassBase<PrefetchIndices> {
public:
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](pipe::SpecializeOp roles) {
      roles->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    for (scf::ForOp loop : loops) {
      SmallVector<tile::LoadScalarOp> loads;
      for (auto load : loop.getOps<tile::LoadScalarOp>())
        if (isPrefetchable(load, loop))
          loads.push_back(load);
      if (loads.empty())
        continue;
      numPrefetched += loads.size();
      prefetch(loop, loads);
    }
  }
};
} // namespace

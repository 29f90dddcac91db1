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

/// True if all indices are the loop's counter or come from outside of the loop.
static bool isPrefetchable(tile::LoadScalarOp load, scf::ForOp loop) {
  return llvm::all_of(load->getOperands(), [&](Value operand) {
    return operand == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(operand);
  });
}

static Value cloneAt(OpBuilder &builder, tile::LoadScalarOp load, Value counter, Value position) {
  IRMapping mapping;
  mapping.map(counter, position);
  return builder.clone(*load.getOperation(), mapping)->getResult(0);
}

/// The loop with the values of `loads` carried; the loads themselves are gone.
static void prefetch(scf::ForOp loop, ArrayRef<tile::LoadScalarOp> loads) {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first;
  for (tile::LoadScalarOp load : loads)
    first.push_back(cloneAt(rewriter, load, loop.getInductionVar(), loop.getLowerBound()));
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
  for (auto [index, load] : llvm::enumerate(loads)) {
    Value ahead = cloneAt(rewriter, load, counter, next);
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

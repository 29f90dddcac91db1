//===- SplitEdges.cpp - a masked and an unmasked rest of the iteration ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

#define DEBUG_TYPE "sm-split-edges"

namespace tilec {
#define GEN_PASS_DEF_SPLITEDGESPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

namespace {
/// A loop's iteration from a wait for products to its end, with a uniform test in between that is
/// known before the wait.
struct Rest {
  scf::ForOp loop;
  scf::IfOp edge;
  Operation *first; // the wait
};

class SplitEdges : public tilec::impl::SplitEdgesPassBase<SplitEdges> {
public:
  void runOnOperation() override;
};
} // namespace

/// The last wait before `edge` that leaves products in flight, if the edge's condition is known by then.
static Operation *findWait(scf::IfOp edge) {
  Operation *definition = edge.getCondition().getDefiningOp();
  for (Operation *op = edge->getPrevNode(); op && op != definition; op = op->getPrevNode())
    if (auto wait = dyn_cast<sm::WgmmaWaitOp>(op); wait && wait.getPending() > 0)
      return op;
  return nullptr;
}

static std::optional<Rest> findRest(scf::ForOp loop) {
  for (auto edge : loop.getOps<scf::IfOp>())
    if (edge.getNumResults() != 0)
      if (Operation *wait = findWait(edge))
        return Rest{loop, edge, wait};
  return std::nullopt;
}

/// Clones the rest of the iteration as it is where the edge's test gave `taken`.
static void cloneRest(Rest rest, bool taken, OpBuilder &builder) {
  IRMapping mapping;
  Block *block = rest.first->getBlock();
  for (Operation *op = rest.first; op != block->getTerminator(); op = op->getNextNode()) {
    if (op != rest.edge.getOperation()) {
      builder.clone(*op, mapping);
      continue;
    }
    scf::IfOp edge = rest.edge;
    Block *side = taken ? edge.thenBlock() : edge.elseBlock();
    for (Operation &inner : side->without_terminator())
      builder.clone(inner, mapping);
    for (auto [result, value] : llvm::zip(edge.getResults(), side->getTerminator()->getOperands()))
      mapping.map(result, mapping.lookupOrDefault(value));
  }
  SmallVector<Value> yielded;
  for (Value value : block->getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  sm::ApartOp::create(builder, rest.edge.getLoc());
  scf::YieldOp::create(builder, rest.edge.getLoc(), yielded);
}

static void split(Rest rest) {
  OpBuilder builder(rest.first);
  scf::IfOp edge = rest.edge;
  Operation *yield = rest.first->getBlock()->getTerminator();
  auto both = scf::IfOp::create(builder, edge.getLoc(), yield->getOperandTypes(),
                                edge.getCondition(), /*withElseRegion=*/true);
  builder.setInsertionPointToStart(both.thenBlock());
  cloneRest(rest, true, builder);
  builder.setInsertionPointToStart(both.elseBlock());
  cloneRest(rest, false, builder);
  yield->setOperands(both.getResults());
  while (yield->getPrevNode() != both)
    yield->getPrevNode()->erase();
}

void SplitEdges::runOnOperation() {
  SmallVector<Rest> found;
  getOperation().walk([&](scf::ForOp loop) {
    if (std::optional<Rest> rest = findRest(loop))
      found.push_back(*rest);
  });
  for (const Rest &rest : found)
    split(rest);
  numSplit += found.size();
}

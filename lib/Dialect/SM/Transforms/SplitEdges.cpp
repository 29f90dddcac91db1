//===- SplitEdges.cpp - a masked and an unmasked rest of the iteration ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "sm-split-edges"

namespace tilec {
#define GEN_PASS_DEF_SPLITEDGESPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

namespace {
/// The end of a loop's iteration with a wait for products and, behind it, a uniform test that is
/// known before the wait.
struct Rest {
  scf::ForOp loop;
  scf::IfOp edge;
  Operation *first;
};

class SplitEdges : public tilec::impl::SplitEdgesPassBase<SplitEdges> {
public:
  void runOnOperation() override;
};
} // namespace

/// The last wait before `edge` that leaves products in flight, if the edge's condition is known by
/// then.
static Operation *findWait(scf::IfOp edge) {
  Operation *definition = edge.getCondition().getDefiningOp();
  for (Operation *op = edge->getPrevNode(); op && op != definition; op = op->getPrevNode())
    if (auto wait = dyn_cast<sm::WgmmaWaitOp>(op); wait && wait.getPending() > 0)
      return op;
  return nullptr;
}

/// The first operation in front of `wait` from which on nothing ends a basic block.
static Operation *findStart(Operation *wait) {
  Operation *first = wait;
  while (Operation *op = first->getPrevNode()) {
    if (op->getNumRegions() != 0 || isa<sm::BarrierTryWaitOp>(op))
      break;
    first = op;
  }
  return first;
}

/// Has no effect, so it may stand elsewhere; may also run where it did not: in an iteration more.
static bool isMovable(Operation *op) { return op->getNumRegions() == 0 && isMemoryEffectFree(op); }
static bool mayRunMore(Operation *op) { return op->getNumRegions() == 0 && isPure(op); }

/// What `value` is computed from in its block, in order, from `first` on; nothing if an operation
/// of it is not `free`.
static std::optional<SmallVector<Operation *>> sourcesOf(Value value, Operation *first,
                                                         bool (*free)(Operation *)) {
  SetVector<Operation *> needed;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != first->getBlock() || op->isBeforeInBlock(first))
      continue;
    if (!free(op))
      return std::nullopt;
    if (needed.insert(op))
      llvm::append_range(open, op->getOperands());
  }
  SmallVector<Operation *> inOrder = needed.takeVector();
  llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return inOrder;
}

/// Moves what `value` is computed from in front of `first`, which becomes the operation behind it,
/// if it is free to move.
static bool computeBefore(Value value, Operation *&first) {
  std::optional<SmallVector<Operation *>> sources = sourcesOf(value, first, isMovable);
  if (!sources)
    return false;
  for (Operation *op : *sources) {
    if (op == first)
      first = op->getNextNode();
    else
      op->moveBefore(first);
  }
  return true;
}

/// `value`, computed by `sources` in some iteration, as `mapping` says what that one has.
static Value computeAgain(Value value, ArrayRef<Operation *> sources, IRMapping &mapping,
                          OpBuilder &builder) {
  for (Operation *op : sources)
    builder.clone(*op, mapping);
  return mapping.lookupOrDefault(value);
}

/// The loop, whose test is carried: it is computed in the iteration before, in front of it for the
/// first one. Between the waits and the products of its own it would hold those up, and with turns
/// the next warpgroup.
static scf::ForOp carryTest(scf::ForOp loop, scf::IfOp edge) {
  Value test = edge.getCondition();
  auto sources = sourcesOf(test, &loop.getBody()->front(), mayRunMore);
  if (!sources || sources->empty())
    return loop;
  IRRewriter rewriter(loop);
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  Value start = computeAgain(test, *sources, first, rewriter);
  DictionaryAttr attributes = loop->getDiscardableAttrDictionary();
  auto next = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> carried) {
    IRMapping mapping;
    Value variable = arith::AddIOp::create(b, loc, loop.getInductionVar(), loop.getStep());
    mapping.map(loop.getInductionVar(), variable);
    mapping.map(loop.getRegionIterArgs(), loop.getYieldedValues());
    Value value = computeAgain(test, *sources, mapping, b);
    edge.getConditionMutable().assign(carried.front());
    return SmallVector<Value>{value};
  };
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, ValueRange{start}, /*replaceInitOperandUsesInLoop=*/false, next));
  carrying->setDiscardableAttrs(attributes);
  for (Operation *op : llvm::reverse(*sources))
    if (op->use_empty())
      op->erase();
  return carrying;
}

static std::optional<Rest> findRest(scf::ForOp loop) {
  for (auto edge : loop.getOps<scf::IfOp>()) {
    Operation *wait = edge.getNumResults() != 0 ? findWait(edge) : nullptr;
    if (!wait)
      continue;
    loop = carryTest(loop, edge);
    // The products, too, are issued in the basic block of the work that covers them.
    Operation *start = findStart(wait);
    return Rest{loop, edge, computeBefore(edge.getCondition(), start) ? start : wait};
  }
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
  SmallVector<scf::ForOp> loops;
  getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    if (std::optional<Rest> rest = findRest(loop))
      found.push_back(*rest);
  }
  for (const Rest &rest : found)
    split(rest);
  numSplit += found.size();
}

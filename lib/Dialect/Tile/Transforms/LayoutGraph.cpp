//===- LayoutGraph.cpp - which tiles of a kernel must have equal layouts --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutGraph.h"
#include "LayoutUtils.h"
#include "tilec/Layout/Coalesced.h"

using namespace mlir;
using namespace tilec;

namespace {
/// How many iterations a loop is taken to have.
constexpr double tripsOfLoop = 16;

int64_t bytesOf(Type element) { return std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1); }

double weightAt(Operation *op, RankedTensorType type) {
  double weight = static_cast<double>(type.getNumElements() * bytesOf(type.getElementType()));
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      weight *= tripsOfLoop;
  return weight;
}

RankedTensorType tensorType(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }
} // namespace

LayoutGraph::LayoutGraph(tile::KernelOp kernel, const WarpPlan &plan)
    : plan(plan), solver(plan.numWarps) {
  auto addValues = [&](ValueRange values) {
    for (Value value : values)
      if (tensorType(value))
        valueNodes[value] = newNode(tensorType(value));
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    addValues(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        addValues(block.getArguments());
  });
  kernel.walk([&](Operation *op) { addOp(op); });
  solver.solve();
}

const FragmentLayout &LayoutGraph::layoutOf(Value fragment) {
  return solver.layoutOf(nodeOf(fragment));
}

const FragmentLayout &LayoutGraph::layoutAt(OpOperand &operand) {
  auto site = sites.find(&operand);
  return site == sites.end() ? layoutOf(operand.get()) : solver.layoutOf(site->second);
}

void LayoutGraph::addOp(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { addLoop(loop); })
      .Case([&](scf::WhileOp loop) { addWhile(loop); })
      .Case([&](scf::IfOp branch) { addIf(branch); })
      .Case([&](tile::GemmOp gemm) { addGemm(gemm); })
      .Case([&](tile::ReduceOp reduce) { addReduce(reduce); })
      .Case([&](tile::BroadcastOp broadcast) { addBroadcast(broadcast); })
      .Case([&](tile::LoadOp load) {
        prefer(load.getResult(), load.getResult().getType().getElementType(), op);
      })
      .Case([&](tile::StoreOp store) {
        prefer(store.getValue(), store.getValue().getType().getElementType(), op);
      })
      .Case([&](tile::GatherOp gather) {
        prefer(gather.getResult(), gather.getType().getElementType(), op);
        addIndexed(op, nodeOf(gather.getResult()), gather.getAxis());
      })
      .Case([&](tile::GatherCopyOp copy) { addGatherCopy(copy); })
      .Case([&](tile::ScatterOp scatter) {
        prefer(scatter.getValue(), scatter.getValue().getType().getElementType(), op);
        addIndexed(op, nodeOf(scatter.getValue()), scatter.getAxis());
      })
      .Case([&](tile::AtomicOp atomic) { addAtomic(atomic); })
      .Case([&](tile::SplitOp split) { addSplit(split); })
      .Case([&](tile::JoinOp join) { addJoin(join); })
      .Case([&](tile::PermuteOp permute) { addPermute(permute); })
      .Case([&](tile::TakeOp take) { addTake(take); })
      .Case([&](tile::StackOp stack) { addStack(stack); })
      .Case<scf::YieldOp, scf::ConditionOp, tile::ConvertLayoutOp>([](Operation *) {})
      .Default([&](Operation *other) { addElementwise(other); });
}

void LayoutGraph::addLoop(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    if (!tensorType(result))
      continue;
    same(result, loop.getRegionIterArg(index));
    use(loop.getInitArgsMutable()[index], nodeOf(result));
    use(yield->getOpOperand(index), nodeOf(result));
  }
}

void LayoutGraph::addWhile(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  scf::YieldOp yield = loop.getYieldOp();
  for (auto [index, argument] : llvm::enumerate(loop.getBeforeArguments())) {
    if (!tensorType(argument))
      continue;
    use(loop.getInitsMutable()[index], nodeOf(argument));
    use(yield->getOpOperand(index), nodeOf(argument));
  }
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    if (!tensorType(result))
      continue;
    same(result, loop.getAfterArguments()[index]);
    use(condition.getArgsMutable()[index], nodeOf(result));
  }
}

void LayoutGraph::addIf(scf::IfOp branch) {
  for (Region &region : branch->getRegions())
    for (Block &block : region)
      for (auto [index, result] : llvm::enumerate(branch.getResults()))
        if (tensorType(result))
          use(block.getTerminator()->getOpOperand(index), nodeOf(result));
}

void LayoutGraph::addGemm(tile::GemmOp gemm) {
  const GemmPlan &gemmPlan = plan.gemms.find(gemm)->second;
  unsigned result = nodeOf(gemm.getResult());
  solver.fix(result, gemmPlan.accumulator);
  use(gemm.getAccMutable(), result);
  if (RankedTensorType type = tensorType(gemm.getA())) {
    unsigned site = newNode(type);
    solver.fix(site, gemmPlan.fragmentA);
    use(gemm.getAMutable(), site);
  }
}

void LayoutGraph::addReduce(tile::ReduceOp reduce) {
  if (!tensorType(reduce.getResult()))
    return;
  SmallVector<int64_t> axes;
  for (int64_t axis = 0, rank = tensorType(reduce.getSource()).getRank(); axis < rank; ++axis)
    if (axis != static_cast<int64_t>(reduce.getAxis()))
      axes.push_back(axis);
  solver.slice(nodeOf(reduce.getResult()), nodeOf(reduce.getSource()), axes);
}

void LayoutGraph::addBroadcast(tile::BroadcastOp broadcast) {
  RankedTensorType type = tensorType(broadcast.getSource());
  if (!type)
    return;
  unsigned site = newNode(type);
  use(broadcast.getSourceMutable(), site);
  solver.slice(site, nodeOf(broadcast.getResult()), broadcast.getDims());
}

/// The fragments that `op` uses lie as the tile of node `tile` does: its index and mask, or, if
/// they have one axis of it only, slices.
void LayoutGraph::addIndexed(Operation *op, unsigned tile, int64_t axis) {
  for (OpOperand &operand : op->getOpOperands()) {
    RankedTensorType type = tensorType(operand.get());
    if (!type || tile == nodeOf(operand.get()))
      continue;
    if (type.getRank() == static_cast<int64_t>(solver.shapeOf(tile).size())) {
      use(operand, tile);
      continue;
    }
    unsigned site = newNode(type);
    use(operand, site);
    solver.slice(site, tile, {axis});
  }
}

/// Not the node of the value: that is often one constant of several operations.
void LayoutGraph::addAtomic(tile::AtomicOp atomic) {
  unsigned tile = newNode(atomic.getValue().getType());
  addIndexed(atomic, tile, static_cast<int64_t>(atomic.getAxis().value_or(0)));
  if (Value old = atomic.getOld())
    solver.same(tile, nodeOf(old));
}

void LayoutGraph::addGatherCopy(tile::GatherCopyOp copy) {
  tile::SharedType target = copy.getTarget().getType();
  unsigned tile = newNode(RankedTensorType::get(target.getShape(), target.getElementType()));
  solver.fix(tile, coalesced(target.getShape(), bytesOf(target.getElementType()), plan.numWarps));
  addIndexed(copy, tile, copy.getAxis());
}

/// Operands and results of one shape and one layout.
void LayoutGraph::addElementwise(Operation *op) {
  Value first;
  for (Value result : op->getResults()) {
    if (!tensorType(result))
      continue;
    if (first)
      same(first, result);
    else
      first = result;
  }
  if (!first)
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (tensorType(operand.get()))
      use(operand, nodeOf(first));
}

void LayoutGraph::prefer(Value fragment, Type memoryElement, Operation *at) {
  RankedTensorType type = tensorType(fragment);
  solver.prefer(nodeOf(fragment), weightAt(at, type),
                coalesced(type.getShape(), bytesOf(memoryElement), plan.numWarps));
}

/// `operand` is wanted in the layout of `site`. Values that are free in any layout pull nothing
/// along.
void LayoutGraph::use(OpOperand &operand, unsigned site, bool mayClose) {
  sites[&operand] = site;
  if (!isFreeInAnyLayout(operand.get().getDefiningOp()))
    solver.wish(nodeOf(operand.get()), site,
                weightAt(operand.getOwner(), tensorType(operand.get())), mayClose);
}

void LayoutGraph::same(Value a, Value b) { solver.same(nodeOf(a), nodeOf(b)); }

unsigned LayoutGraph::newNode(RankedTensorType type) {
  return solver.addNode(type.getShape(), bytesOf(type.getElementType()));
}

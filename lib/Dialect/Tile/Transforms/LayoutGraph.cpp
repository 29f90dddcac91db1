//===- LayoutGraph.cpp - which tiles of a kernel must have equal layouts --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutGraph.h"
#include "LayoutUtils.h"

using namespace mlir;
using namespace tilec;

namespace {
/// How many iterations a loop is taken to have.
constexpr double tripsOfLoop = 16;
constexpr int64_t accessBytes = 16;

int64_t bytesOf(Type element) { return std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1); }

double weightAt(Operation *op, RankedTensorType type) {
  double weight = static_cast<double>(type.getNumElements() * bytesOf(type.getElementType()));
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      weight *= tripsOfLoop;
  return weight;
}

/// Blocked, 16 bytes of `element` per access where the last axis has them.
FragmentLayout coalesced(ArrayRef<int64_t> shape, Type element, int64_t numWarps) {
  int64_t vector = accessBytes / bytesOf(element);
  while (shape.back() % vector != 0)
    vector /= 2;
  return blocked(shape, vector, numWarps);
}

RankedTensorType tensorType(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }
} // namespace

LayoutGraph::LayoutGraph(tile::KernelOp kernel, const WarpPlan &plan) : plan(plan) {
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
  solve();
}

const FragmentLayout &LayoutGraph::layoutOf(Value fragment) {
  return *nodes[root(nodeOf(fragment))].fixed;
}

const FragmentLayout &LayoutGraph::layoutAt(OpOperand &operand) {
  auto site = sites.find(&operand);
  return site == sites.end() ? layoutOf(operand.get()) : *nodes[root(site->second)].fixed;
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
  nodes[result].fixed = gemmPlan.accumulator;
  use(gemm.getAccMutable(), result);
  if (RankedTensorType type = tensorType(gemm.getA())) {
    unsigned site = newNode(type);
    nodes[site].fixed = gemmPlan.fragmentA;
    use(gemm.getAMutable(), site);
  }
}

void LayoutGraph::addReduce(tile::ReduceOp reduce) {
  if (!tensorType(reduce.getResult()))
    return;
  Slice slice{nodeOf(reduce.getResult()), nodeOf(reduce.getSource()), {}};
  for (int64_t axis = 0, rank = tensorType(reduce.getSource()).getRank(); axis < rank; ++axis)
    if (axis != static_cast<int64_t>(reduce.getAxis()))
      slice.axes.push_back(axis);
  slices.push_back(std::move(slice));
}

void LayoutGraph::addBroadcast(tile::BroadcastOp broadcast) {
  RankedTensorType type = tensorType(broadcast.getSource());
  if (!type)
    return;
  unsigned site = newNode(type);
  use(broadcast.getSourceMutable(), site);
  slices.push_back({site, nodeOf(broadcast.getResult()), llvm::to_vector(broadcast.getDims())});
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
  Node &node = nodes[nodeOf(fragment)];
  double weight = weightAt(at, type);
  if (!node.preference || node.preference->weight < weight)
    node.preference = {weight, coalesced(type.getShape(), memoryElement, plan.numWarps)};
}

/// `operand` is wanted in the layout of `site`. Values that are free in any layout pull nothing
/// along.
void LayoutGraph::use(OpOperand &operand, unsigned site) {
  sites[&operand] = site;
  if (!isFreeInAnyLayout(operand.get().getDefiningOp()))
    edges.push_back({nodeOf(operand.get()), site,
                     weightAt(operand.getOwner(), tensorType(operand.get())),
                     static_cast<unsigned>(edges.size())});
}

void LayoutGraph::same(Value a, Value b) { merge(root(nodeOf(a)), root(nodeOf(b))); }

/// From high rank to low, since slices follow from what they are cut from.
void LayoutGraph::solve() {
  int64_t highest = 0;
  for (const Node &node : nodes)
    highest = std::max<int64_t>(highest, node.shape.size());
  llvm::sort(edges, [](const Edge &a, const Edge &b) {
    return a.weight != b.weight ? a.weight > b.weight : a.number < b.number;
  });
  for (int64_t rank = highest; rank > 0; --rank)
    solveRank(rank);
}

void LayoutGraph::solveRank(int64_t rank) {
  for (const Slice &slice : slices) {
    if (static_cast<int64_t>(slice.axes.size()) != rank)
      continue;
    FragmentLayout layout = *nodes[root(slice.source)].fixed;
    for (int axis = layout.rank - 1; axis >= 0; --axis)
      if (!llvm::is_contained(slice.axes, axis))
        layout = layout.slice(axis);
    nodes[root(slice.node)].fixed = layout;
  }
  for (const Edge &edge : edges) {
    unsigned a = root(edge.from), b = root(edge.to);
    if (static_cast<int64_t>(nodes[a].shape.size()) != rank)
      continue;
    if (!nodes[a].fixed || !nodes[b].fixed || *nodes[a].fixed == *nodes[b].fixed)
      merge(a, b);
  }
  for (unsigned index = 0; index < nodes.size(); ++index) {
    Node &node = nodes[root(index)];
    if (static_cast<int64_t>(node.shape.size()) == rank && !node.fixed)
      node.fixed = node.preference ? node.preference->layout
                                   : coalesced(node.shape, node.element, plan.numWarps);
  }
}

unsigned LayoutGraph::newNode(RankedTensorType type) {
  unsigned index = nodes.size();
  nodes.push_back({index, llvm::to_vector(type.getShape()), type.getElementType(), {}, {}});
  return index;
}

unsigned LayoutGraph::root(unsigned node) {
  while (nodes[node].parent != node)
    node = nodes[node].parent = nodes[nodes[node].parent].parent;
  return node;
}

/// Joins two roots whose fixed layouts, if both have one, are equal.
void LayoutGraph::merge(unsigned a, unsigned b) {
  if (a == b)
    return;
  Node &kept = nodes[std::min(a, b)], &joined = nodes[std::max(a, b)];
  joined.parent = std::min(a, b);
  if (!kept.fixed)
    kept.fixed = joined.fixed;
  if (joined.preference &&
      (!kept.preference || kept.preference->weight < joined.preference->weight))
    kept.preference = joined.preference;
}

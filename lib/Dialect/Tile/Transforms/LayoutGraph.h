//===- LayoutGraph.h - which tiles of a kernel must have equal layouts ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Translates a kernel for the solver (LayoutSolver.h). Nodes are values and the places where an
// operation demands a layout; a use is a wish that both ends agree, and one that is not fulfilled
// costs a conversion. The graph does not change the IR.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_LAYOUTGRAPH_H
#define TILEC_LIB_TILE_TRANSFORMS_LAYOUTGRAPH_H

#include "LayoutSolver.h"
#include "WarpPlan.h"

namespace tilec {

class LayoutGraph {
public:
  LayoutGraph(mlir::tile::KernelOp kernel, const WarpPlan &plan);

  /// The layout of a fragment.
  const FragmentLayout &layoutOf(mlir::Value fragment);
  /// The layout in which the operation wants its operand.
  const FragmentLayout &layoutAt(mlir::OpOperand &operand);

private:
  void addOp(mlir::Operation *op);
  void addLoop(mlir::scf::ForOp loop);
  void addWhile(mlir::scf::WhileOp loop);
  void addIf(mlir::scf::IfOp branch);
  void addGemm(mlir::tile::GemmOp gemm);
  void addReduce(mlir::tile::ReduceOp reduce);
  void addBroadcast(mlir::tile::BroadcastOp broadcast);
  void addIndexed(mlir::Operation *op, unsigned tile, int64_t axis);
  void addAtomic(mlir::tile::AtomicOp atomic);
  void addGatherCopy(mlir::tile::GatherCopyOp copy);
  void addSplit(mlir::tile::SplitOp split);
  void addJoin(mlir::tile::JoinOp join);
  void addPermute(mlir::tile::PermuteOp permute);
  void addTake(mlir::tile::TakeOp take);
  void addStack(mlir::tile::StackOp stack);
  unsigned reshaped(mlir::OpOperand &operand);
  void addElementwise(mlir::Operation *op);
  void prefer(mlir::Value fragment, mlir::Type memoryElement, mlir::Operation *at);
  void use(mlir::OpOperand &operand, unsigned site, bool mayClose = false);
  void same(mlir::Value a, mlir::Value b);

  unsigned newNode(mlir::RankedTensorType type);
  unsigned nodeOf(mlir::Value value) const { return valueNodes.find(value)->second; }

  const WarpPlan &plan;
  LayoutSolver solver;
  llvm::DenseMap<mlir::Value, unsigned> valueNodes;
  llvm::DenseMap<mlir::OpOperand *, unsigned> sites;
};

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_LAYOUTGRAPH_H

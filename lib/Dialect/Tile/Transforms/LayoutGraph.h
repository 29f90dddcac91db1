//===- LayoutGraph.h - which tiles of a kernel must have equal layouts ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Nodes are values and the places where an operation demands a layout; edges are uses. Merging the
// ends of an edge makes the use free; an edge between two different fixed layouts stays and costs
// a conversion. Merging the expensive edges first leaves the cheap ones to be cut, as in Kruskal's
// maximum spanning tree. The graph does not change the IR.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_LAYOUTGRAPH_H
#define TILEC_LIB_TILE_TRANSFORMS_LAYOUTGRAPH_H

#include "WarpPlan.h"
#include <vector>

namespace tilec {

class LayoutGraph {
public:
  LayoutGraph(mlir::tile::KernelOp kernel, const WarpPlan &plan);

  /// The layout of a fragment.
  const FragmentLayout &layoutOf(mlir::Value fragment);
  /// The layout in which the operation wants its operand.
  const FragmentLayout &layoutAt(mlir::OpOperand &operand);

private:
  /// A layout that would be good, and how much it matters.
  struct Preference {
    double weight = 0;
    FragmentLayout layout;
  };
  struct Node {
    unsigned parent;
    llvm::SmallVector<int64_t> shape;
    mlir::Type element;
    std::optional<FragmentLayout> fixed;
    std::optional<Preference> preference;
  };
  struct Edge {
    unsigned from, to;
    double weight;
    unsigned number; // in program order
  };
  /// The layout of `node` follows from `source`, a tile of higher rank: only `axes` stay.
  struct Slice {
    unsigned node, source;
    llvm::SmallVector<int64_t> axes;
  };

  void addOp(mlir::Operation *op);
  void addLoop(mlir::scf::ForOp loop);
  void addWhile(mlir::scf::WhileOp loop);
  void addIf(mlir::scf::IfOp branch);
  void addGemm(mlir::tile::GemmOp gemm);
  void addReduce(mlir::tile::ReduceOp reduce);
  void addBroadcast(mlir::tile::BroadcastOp broadcast);
  void addElementwise(mlir::Operation *op);
  void prefer(mlir::Value fragment, mlir::Type memoryElement, mlir::Operation *at);
  void use(mlir::OpOperand &operand, unsigned site);
  void same(mlir::Value a, mlir::Value b);

  void solve();
  void solveRank(int64_t rank);
  unsigned newNode(mlir::RankedTensorType type);
  unsigned nodeOf(mlir::Value value) const { return valueNodes.find(value)->second; }
  unsigned root(unsigned node);
  void merge(unsigned a, unsigned b);

  const WarpPlan &plan;
  std::vector<Node> nodes;
  llvm::SmallVector<Edge> edges;
  llvm::SmallVector<Slice> slices;
  llvm::DenseMap<mlir::Value, unsigned> valueNodes;
  llvm::DenseMap<mlir::OpOperand *, unsigned> sites;
};

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_LAYOUTGRAPH_H

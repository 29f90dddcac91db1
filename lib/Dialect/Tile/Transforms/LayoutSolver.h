//===- LayoutSolver.h - layouts for tiles that want to agree ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Nodes are tiles, or places where an operation demands a layout. Some of them are bound: they have
// one layout, or the layout of one follows from the other's (a tile and the same tile with an axis
// split). Others only want to agree, at a price if they do not: merging the expensive wishes first
// leaves the cheap ones to be cut, as in Kruskal's maximum spanning tree. Knows no IR.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_LAYOUTSOLVER_H
#define TILEC_LIB_TILE_TRANSFORMS_LAYOUTSOLVER_H

#include "tilec/Layout/FragmentLayout.h"
#include <functional>
#include <vector>

namespace tilec {

class LayoutSolver {
public:
  using Layout = std::optional<FragmentLayout>;
  /// The layout at one end of a bond from the layout at the other; nothing if it cannot be.
  using Transport = std::function<Layout(const FragmentLayout &)>;

  explicit LayoutSolver(int64_t numWarps) : numWarps(numWarps) {}

  /// A tile of elements of `bytes`.
  unsigned addNode(llvm::ArrayRef<int64_t> shape, int64_t bytes);
  /// The node has this layout.
  void fix(unsigned node, const FragmentLayout &layout);
  /// The node would be good in this layout.
  void prefer(unsigned node, double weight, const FragmentLayout &layout);
  /// Both have one layout.
  void same(unsigned a, unsigned b);
  /// The layout of each follows from the other's. `safe`, a layout of `b`, leads to one of `a`.
  void bind(unsigned a, unsigned b, Transport toB, Transport toA, const FragmentLayout &safe);
  /// Both should have one layout. `mayClose`: left out if the order of solving would be a circle.
  void wish(unsigned a, unsigned b, double weight, bool mayClose = false);
  /// The layout of `node` is that of `source`, a tile of higher rank, with only `axes` left.
  void slice(unsigned node, unsigned source, llvm::ArrayRef<int64_t> axes);

  void solve();
  const FragmentLayout &layoutOf(unsigned node) const { return *nodes[node].layout; }
  llvm::ArrayRef<int64_t> shapeOf(unsigned node) const { return nodes[node].shape; }

private:
  struct Preference {
    double weight;
    unsigned node;
    FragmentLayout layout;
  };
  struct Bond {
    unsigned other;
    Transport transport; // null: the same layout
  };
  struct Node {
    unsigned parent; // of the tree of bound and agreeing nodes
    unsigned group;  // of the tree of all that may come to agree
    llvm::SmallVector<int64_t> shape;
    int64_t bytes;
    Layout layout;
    llvm::SmallVector<Bond> bonds;
    // Of roots:
    llvm::SmallVector<unsigned> members;
    llvm::SmallVector<Preference, 1> preferences; // heaviest first
    llvm::SmallVector<std::pair<unsigned, FragmentLayout>, 0> safe;
    bool reshapes = false; // some bond changes the layout
  };
  struct Wish {
    unsigned a, b;
    double weight;
    unsigned number;
    bool mayClose;
  };
  struct Slice {
    unsigned node, source;
    llvm::SmallVector<int64_t> axes;
  };
  using Spread = llvm::SmallVector<std::pair<unsigned, FragmentLayout>, 0>;

  unsigned root(unsigned node);
  unsigned group(unsigned node);
  std::optional<Spread> spread(unsigned start, const FragmentLayout &layout) const;
  bool assign(unsigned node, const FragmentLayout &layout);
  bool connect(unsigned a, unsigned b, const Transport &toB, const Transport &toA);
  void unite(unsigned a, unsigned b);
  std::optional<Spread> bestSpread(unsigned root) const;
  double valueOf(const Spread &layouts, unsigned root) const;
  void formGroups();
  bool leadsTo(unsigned from, unsigned to);
  llvm::SmallVector<unsigned> groupsInOrder();
  void solveGroup(unsigned which);

  int64_t numWarps;
  std::vector<Node> nodes;
  std::vector<Wish> wishes;
  llvm::SmallVector<Slice> slices;
};

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_LAYOUTSOLVER_H

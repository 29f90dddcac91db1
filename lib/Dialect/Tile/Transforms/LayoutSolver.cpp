//===- LayoutSolver.cpp - layouts for tiles that want to agree -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutSolver.h"
#include "tilec/Layout/Coalesced.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr int64_t accessBytes = 16;

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

unsigned LayoutSolver::addNode(ArrayRef<int64_t> shape, int64_t bytes) {
  const unsigned index = nodes.size();
  Node &node = nodes.emplace_back();
  node.parent = node.group = index;
  node.shape.assign(shape.begin(), shape.end());
  node.bytes = bytes;
  node.members = {index};
  return index;
}

void LayoutSolver::fix(unsigned node, const FragmentLayout &layout) { assign(node, layout); }

void LayoutSolver::prefer(unsigned node, double weight, const FragmentLayout &layout) {
  auto &known = nodes[root(node)].preferences;
  auto lighter = llvm::find_if(known, [&](const Preference &p) { return p.weight < weight; });
  known.insert(lighter, {weight, node, layout});
}

void LayoutSolver::same(unsigned a, unsigned b) { connect(a, b, {}, {}); }

void LayoutSolver::bind(unsigned a, unsigned b, Transport toB, Transport toA,
                        const FragmentLayout &safe) {
  nodes[root(b)].safe.push_back({b, safe});
  nodes[root(b)].reshapes = true;
  connect(a, b, toB, toA);
}

void LayoutSolver::wish(unsigned a, unsigned b, double weight, bool mayClose) {
  wishes.push_back({a, b, weight, static_cast<unsigned>(wishes.size()), mayClose});
}

void LayoutSolver::slice(unsigned node, unsigned source, ArrayRef<int64_t> axes) {
  slices.push_back({node, source, llvm::to_vector(axes)});
}

//===----------------------------------------------------------------------===//
// Nodes that agree
//===----------------------------------------------------------------------===//

unsigned LayoutSolver::root(unsigned node) {
  while (nodes[node].parent != node)
    node = nodes[node].parent = nodes[nodes[node].parent].parent;
  return node;
}

/// The layouts of all nodes that agree with `start` if it has `layout`; nothing if a bond cannot
/// carry it.
std::optional<LayoutSolver::Spread> LayoutSolver::spread(unsigned start,
                                                         const FragmentLayout &layout) const {
  Spread reached{{start, layout}};
  llvm::DenseSet<unsigned> seen{start};
  for (size_t next = 0; next < reached.size(); ++next)
    for (const Bond &bond : nodes[reached[next].first].bonds) {
      if (!seen.insert(bond.other).second)
        continue;
      Layout there = bond.transport ? bond.transport(reached[next].second) : reached[next].second;
      if (!there)
        return std::nullopt;
      reached.push_back({bond.other, std::move(*there)});
    }
  return reached;
}

/// Gives `node` and all that agree with it a layout; false if a bond cannot carry it.
bool LayoutSolver::assign(unsigned node, const FragmentLayout &layout) {
  std::optional<Spread> layouts = spread(node, layout);
  if (!layouts)
    return false;
  for (auto &[member, its] : *layouts)
    nodes[member].layout = std::move(its);
  return true;
}

/// How much of the preferences a choice of layouts gives: long accesses where memory is accessed.
double LayoutSolver::valueOf(const Spread &layouts, unsigned root) const {
  double value = 0;
  for (const Preference &preference : nodes[root].preferences) {
    auto found = llvm::find_if(layouts, [&](auto &it) { return it.first == preference.node; });
    const Node &node = nodes[preference.node];
    const int64_t run = found->second.contiguous(node.shape.size() - 1) * node.bytes;
    value += preference.weight * std::min(run, accessBytes) / accessBytes;
  }
  return value;
}

/// Layouts for nodes that agree and have none: those of the heaviest preference, or where a bond
/// cannot carry that, the best of what all can have.
std::optional<LayoutSolver::Spread> LayoutSolver::bestSpread(unsigned root) const {
  const Node &node = nodes[root];
  if (!node.preferences.empty())
    if (auto layouts = spread(node.preferences.front().node, node.preferences.front().layout))
      return layouts;
  if (!node.reshapes)
    return spread(root, coalesced(node.shape, node.bytes, numWarps));
  std::optional<Spread> best;
  double bestValue = -1;
  auto consider = [&](unsigned start, const FragmentLayout &layout) {
    std::optional<Spread> layouts = spread(start, layout);
    if (double value = layouts ? valueOf(*layouts, root) : -1; value > bestValue) {
      best = std::move(layouts);
      bestValue = value;
    }
  };
  for (unsigned member : node.members)
    consider(member, coalesced(nodes[member].shape, nodes[member].bytes, numWarps));
  for (const Preference &preference : node.preferences)
    consider(preference.node, preference.layout);
  if (!best)
    for (const auto &[start, layout] : node.safe)
      consider(start, layout);
  return best;
}

/// Joins two roots.
void LayoutSolver::unite(unsigned a, unsigned b) {
  Node &kept = nodes[std::min(a, b)], &joined = nodes[std::max(a, b)];
  joined.parent = std::min(a, b);
  kept.members.append(joined.members);
  for (Preference &preference : joined.preferences) {
    auto lighter = llvm::find_if(kept.preferences,
                                 [&](const Preference &p) { return p.weight < preference.weight; });
    kept.preferences.insert(lighter, std::move(preference));
  }
  kept.safe.append(joined.safe);
  kept.reshapes |= joined.reshapes;
  joined.members.clear();
  joined.preferences.clear();
  joined.safe.clear();
}

/// Makes two nodes agree; false if they cannot.
bool LayoutSolver::connect(unsigned a, unsigned b, const Transport &toB, const Transport &toA) {
  const unsigned rootA = root(a), rootB = root(b);
  if (rootA == rootB)
    return true;
  if (nodes[a].layout && nodes[b].layout) {
    if ((toB ? toB(*nodes[a].layout) : nodes[a].layout) != nodes[b].layout)
      return false;
  } else if (nodes[a].layout) {
    Layout there = toB ? toB(*nodes[a].layout) : nodes[a].layout;
    if (!there || !assign(b, *there))
      return false;
  } else if (nodes[b].layout) {
    Layout there = toA ? toA(*nodes[b].layout) : nodes[b].layout;
    if (!there || !assign(a, *there))
      return false;
  }
  nodes[a].bonds.push_back({b, toB});
  nodes[b].bonds.push_back({a, toA});
  const bool reshapes = nodes[rootA].reshapes || nodes[rootB].reshapes;
  if (reshapes && !nodes[a].layout) {
    // Two that may still have any layout have to have one together.
    Node saved = nodes[std::min(rootA, rootB)], other = nodes[std::max(rootA, rootB)];
    unite(rootA, rootB);
    if (bestSpread(std::min(rootA, rootB)))
      return true;
    nodes[std::min(rootA, rootB)] = std::move(saved);
    nodes[std::max(rootA, rootB)] = std::move(other);
    nodes[a].bonds.pop_back();
    nodes[b].bonds.pop_back();
    return false;
  }
  unite(rootA, rootB);
  return true;
}

//===- LayoutOrder.cpp - in which order layouts are settled -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What may come to agree is a group, settled together. A group whose tiles are slices of another's
// comes behind it.
//===----------------------------------------------------------------------===//
#include "LayoutSolver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace tilec;
using llvm::SmallVector;

unsigned LayoutSolver::group(unsigned node) {
  while (nodes[node].group != node)
    node = nodes[node].group = nodes[nodes[node].group].group;
  return node;
}

/// True if some group on the way from `from` is sliced into `to`, in any number of steps.
bool LayoutSolver::leadsTo(unsigned from, unsigned to) {
  llvm::SmallSetVector<unsigned, 8> reached;
  reached.insert(from);
  for (size_t next = 0; next < reached.size(); ++next)
    for (const Slice &slice : slices)
      if (group(slice.source) == reached[next]) {
        if (group(slice.node) == to)
          return true;
        reached.insert(group(slice.node));
      }
  return false;
}

void LayoutSolver::formGroups() {
  auto unite = [&](unsigned a, unsigned b) {
    a = group(a), b = group(b);
    nodes[std::max(a, b)].group = std::min(a, b);
  };
  for (unsigned node = 0; node < nodes.size(); ++node)
    for (const Bond &bond : nodes[node].bonds)
      unite(node, bond.other);
  for (const Wish &wish : wishes)
    if (!wish.mayClose)
      unite(wish.a, wish.b);
  llvm::erase_if(wishes, [&](const Wish &wish) {
    const unsigned a = group(wish.a), b = group(wish.b);
    if (!wish.mayClose || a == b)
      return false;
    if (leadsTo(a, b) || leadsTo(b, a))
      return true;
    unite(a, b);
    return false;
  });
}

/// Every group behind those that its tiles are slices of.
SmallVector<unsigned> LayoutSolver::groupsInOrder() {
  llvm::SmallSetVector<unsigned, 32> waiting;
  for (unsigned node = 0; node < nodes.size(); ++node)
    waiting.insert(group(node));
  SmallVector<unsigned> order;
  while (!waiting.empty()) {
    auto isReady = [&](unsigned which) {
      return llvm::none_of(slices, [&](const Slice &slice) {
        const unsigned source = group(slice.source);
        return group(slice.node) == which && source != which && waiting.contains(source);
      });
    };
    auto ready = llvm::find_if(waiting, isReady);
    order.push_back(*ready);
    waiting.erase(ready);
  }
  return order;
}

void LayoutSolver::solveGroup(unsigned which) {
  for (const Slice &slice : slices) {
    if (group(slice.node) != which)
      continue;
    FragmentLayout layout = *nodes[slice.source].layout;
    for (int axis = layout.rank - 1; axis >= 0; --axis)
      if (!llvm::is_contained(slice.axes, axis))
        layout = layout.slice(axis);
    assign(slice.node, layout);
  }
  for (const Wish &wish : wishes)
    if (group(wish.a) == which)
      connect(wish.a, wish.b, {}, {});
  for (unsigned node = 0; node < nodes.size(); ++node) {
    if (group(node) != which || nodes[node].layout)
      continue;
    std::optional<Spread> layouts = bestSpread(root(node));
    for (auto &[member, layout] : *layouts)
      nodes[member].layout = std::move(layout);
  }
}

void LayoutSolver::solve() {
  formGroups();
  llvm::sort(wishes, [](const Wish &a, const Wish &b) {
    return a.weight != b.weight ? a.weight > b.weight : a.number < b.number;
  });
  for (unsigned which : groupsInOrder())
    solveGroup(which);
}

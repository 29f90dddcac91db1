//===- SharedLifetime.cpp - which shared tiles may share bytes ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/SharedLifetime.h"
#include "tilec/Analysis/SharedAccess.h"

using namespace mlir;
using namespace tilec;

SharedLifetime::SharedLifetime(tile::KernelOp kernel) {
  kernel.walk([&](tile::AllocSharedOp alloc) {
    indexOf[alloc] = allocs.size();
    allocs.push_back(alloc);
  });
  interference.assign(allocs.size(), Set(allocs.size()));
  for (Block &block : kernel.getBody())
    liveBefore(block, Set(allocs.size()));
}

SharedLifetime::Set SharedLifetime::liveBefore(Block &block, Set live) {
  for (Operation &op : llvm::reverse(block))
    live = liveBefore(&op, std::move(live));
  return live;
}

SharedLifetime::Set SharedLifetime::liveBefore(Operation *op, Set live) {
  if (isa<LoopLikeOpInterface>(op))
    return liveBeforeLoop(op, std::move(live));
  if (op->getNumRegions() != 0) { // a branch: any region may run, or none
    Set before = live;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        before |= liveBefore(block, live);
    return before;
  }
  if (auto alloc = dyn_cast<tile::AllocSharedOp>(op)) {
    live.reset(indexOf[alloc]);
    return live;
  }
  return liveBeforeAccess(op, std::move(live));
}

/// What lives at the end of an iteration lives after the loop or at the start of an iteration. The
/// regions of a loop run one after another and then again.
SharedLifetime::Set SharedLifetime::liveBeforeLoop(Operation *loop, Set live) {
  for (;;) {
    Set before = live;
    for (Region &region : llvm::reverse(loop->getRegions()))
      for (Block &block : region)
        before |= liveBefore(block, before);
    if (before == live)
      return live;
    live = before;
  }
}

SharedLifetime::Set SharedLifetime::liveBeforeAccess(Operation *op, Set live) {
  Set reads(allocs.size()), writes(allocs.size());
  for (const Access &access : accessesOf(op))
    if (access.shared) // what a partial write leaves is still needed
      (access.write && !access.partial ? writes : reads).set(indexOf[access.base.getDefiningOp()]);
  if (reads.none() && writes.none())
    return live;
  Set together = live;
  together |= reads;
  together |= writes;
  addClique(together);
  live.reset(writes);
  live |= reads;
  return live;
}

void SharedLifetime::addClique(const Set &together) {
  for (unsigned index : together.set_bits())
    interference[index] |= together;
}

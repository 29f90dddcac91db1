//===- SharedLifetime.h - which shared tiles may share bytes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Liveness of shared tiles, backward over structured control flow. A write of a whole tile ends the
// lifetime of the old contents, a partial one (`Access::partial`) needs them. The contents of a
// tile allocated in a loop do not outlive the iteration.
//===----------------------------------------------------------------------===//
#ifndef TILEC_ANALYSIS_SHAREDLIFETIME_H
#define TILEC_ANALYSIS_SHAREDLIFETIME_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace tilec {

class SharedLifetime {
public:
  explicit SharedLifetime(mlir::tile::KernelOp kernel);

  /// The kernel's allocations in program order; the other functions take indices into it.
  llvm::ArrayRef<mlir::tile::AllocSharedOp> allocations() const { return allocs; }

  /// True if the two need disjoint bytes: one is written or read while the other's contents matter.
  bool interfere(unsigned a, unsigned b) const { return interference[a].test(b); }

private:
  using Set = llvm::BitVector;

  Set liveBefore(mlir::Block &block, Set live);
  Set liveBefore(mlir::Operation *op, Set live);
  Set liveBeforeLoop(mlir::Operation *loop, Set live);
  Set liveBeforeAccess(mlir::Operation *op, Set live);
  void addClique(const Set &together);

  llvm::SmallVector<mlir::tile::AllocSharedOp> allocs;
  llvm::DenseMap<mlir::Operation *, unsigned> indexOf;
  llvm::SmallVector<Set> interference;
};

} // namespace tilec

#endif // TILEC_ANALYSIS_SHAREDLIFETIME_H

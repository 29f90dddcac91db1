//===- SharedAccess.h - which bytes an operation reads and writes -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Found through the operations' declared memory effects, so that an operation added later is seen
// without a change here. A handle of shared memory stands for the bytes of its allocation, a window
// for the whole kernel argument it was cut from. Slots of channels have no accesses: their barriers
// order them.
//===----------------------------------------------------------------------===//
#ifndef TILEC_ANALYSIS_SHAREDACCESS_H
#define TILEC_ANALYSIS_SHAREDACCESS_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Who performs an access: threads with ordinary instructions, cp.async (complete only after a
/// wait), or wgmma through the async proxy (of a `pipe.mma` complete only after `pipe.mma_wait`).
enum class AccessKind { Generic, AsyncCopy, Wgmma };

/// One access of an operation to memory that several threads can see.
struct Access {
  mlir::Value base;   // the allocation or the kernel argument
  mlir::Value handle; // what the operation was given: the base or a window
  bool shared = false;
  int64_t begin = 0; // bytes of shared memory [begin, end)
  int64_t end = 0;
  bool write = false;
  /// A write that leaves some elements as they were, or may do so.
  bool partial = false;
  AccessKind kind = AccessKind::Generic;

  bool overlaps(const Access &other) const;
  /// True if the two must keep their order.
  bool conflicts(const Access &other) const { return (write || other.write) && overlaps(other); }
};

/// All accesses of `op` itself, not of its regions. Allocations access nothing.
llvm::SmallVector<Access> accessesOf(mlir::Operation *op);

/// The allocation behind a handle of shared memory.
mlir::tile::AllocSharedOp sharedAllocation(mlir::Value handle);

/// True for a product that wgmma computes: its accumulator is spread over warpgroups.
bool runsOnWgmma(mlir::tile::GemmOp gemm);

/// True for a copy that cp.async performs: from global to shared memory, also of rows at an index
/// tile.
bool isAsyncCopy(mlir::Operation *op);

} // namespace tilec

#endif // TILEC_ANALYSIS_SHAREDACCESS_H

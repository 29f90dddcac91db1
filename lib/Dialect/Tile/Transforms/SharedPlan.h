//===- SharedPlan.h - byte ranges in a CTA's shared memory -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_TILE_TRANSFORMS_SHAREDPLAN_H
#define TILEC_LIB_DIALECT_TILE_TRANSFORMS_SHAREDPLAN_H

#include "tilec/Analysis/SharedLifetime.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"

namespace tilec {

/// What one CTA of compute capability 9.0 can have.
inline constexpr int64_t sharedLimit = 232448;

/// A shared tile, or the slots of a channel.
struct SharedBuffer {
  mlir::Operation *op;
  mlir::tile::SharedType tile;
  int64_t stages; ///< slots of a channel; 0 for a tile of its own
  int64_t bytes, alignment, begin = -1;

  int64_t end() const { return begin + bytes; }
};

/// The buffers of a kernel. A plan may be placed again after `bytes` and `stages` were changed.
class SharedPlan {
public:
  explicit SharedPlan(mlir::tile::KernelOp kernel);

  /// Gives each buffer its bytes, the largest first, and the barriers theirs behind all of them.
  /// Returns how many bytes the kernel needs.
  int64_t place();

  /// Indices of the buffers.
  llvm::SmallVector<unsigned> largestFirst() const;
  unsigned numBarriers() const;

  /// Tiles by their number among the kernel's allocations, then channels.
  llvm::SmallVector<SharedBuffer> buffers;
  /// First byte behind the buffers, where the barriers are.
  int64_t barriers = 0;

private:
  int64_t lowestFree(unsigned index) const;
  /// True if no two small tiles may share bytes.
  bool keepsSmallApart() const;

  SharedLifetime lifetime;
};

/// Bytes of an mbarrier; a channel has two per stage.
inline constexpr int64_t barrierBytes = 8;

/// Says that the kernel needs too much: which buffers, how much each, and what would fit.
void reportOverflow(mlir::tile::KernelOp kernel, SharedPlan plan, int64_t needed);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_TILE_TRANSFORMS_SHAREDPLAN_H

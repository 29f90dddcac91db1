//===- WarpPlan.h - the warps of a kernel and the instruction of each product -===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_WARPPLAN_H
#define TILEC_LIB_TILE_TRANSFORMS_WARPPLAN_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/MapVector.h"

namespace tilec {

/// How one product runs: the layouts that its instruction dictates.
struct GemmPlan {
  bool wgmma = false;
  FragmentLayout accumulator;
  /// Of an operand A in registers, [M, K].
  FragmentLayout fragmentA;
  /// Widest swizzle in bytes that the instruction can read, operands in shared memory.
  int64_t maxSwizzleA = 128, maxSwizzleB = 128;
};

struct WarpPlan {
  int64_t numWarps = 4;
  llvm::MapVector<mlir::Operation *, GemmPlan> gemms;
};

/// Chooses the number of warps (`requestedWarps` unless 0) and plans every product. Fails with a
/// diagnostic at a product that no instruction fits.
mlir::FailureOr<WarpPlan> planWarps(mlir::tile::KernelOp kernel, int64_t requestedWarps);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_WARPPLAN_H

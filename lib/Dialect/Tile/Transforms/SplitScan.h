//===- SplitScan.h - scans across warps -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_SPLITSCAN_H
#define TILEC_LIB_TILE_TRANSFORMS_SPLITSCAN_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// What each warp's part of a tile along an axis comes to, in the registers of every thread: a tile
/// without the axis, with a last axis of warps. Made in front of `scan`.
using WarpTotals = llvm::function_ref<mlir::Value(mlir::tile::ScanOp scan)>;

/// If warps split the axis of `scan`, lets each warp scan its part, starting from the totals of the
/// warps before it. True if it did.
bool splitScan(mlir::tile::ScanOp scan, WarpTotals totals);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_SPLITSCAN_H

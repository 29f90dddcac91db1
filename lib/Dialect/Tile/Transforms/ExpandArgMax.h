//===- ExpandArgMax.h - positions of maxima ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_EXPANDARGMAX_H
#define TILEC_LIB_TILE_TRANSFORMS_EXPANDARGMAX_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Writes every argmax as the least position at which an element equals the maximum; returns how
/// many there were.
unsigned expandArgMax(mlir::tile::KernelOp kernel);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_EXPANDARGMAX_H

//===- FoldScales.h - positive scales out of the way of maxima --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_FOLDSCALES_H
#define TILEC_LIB_TILE_TRANSFORMS_FOLDSCALES_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Moves multiplications by positive scales behind masks and reductions; returns how many were
/// moved.
///   select(keep, x * c, -inf)  becomes  select(keep, x, -inf) * c
///   max(x * c)                 becomes  max(x) * c
/// Multiplication by c rounds monotonically, so the values are the same, bit for bit.
unsigned foldScales(mlir::tile::KernelOp kernel);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_FOLDSCALES_H

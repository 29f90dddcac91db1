//===- RowSources.h - where an operand's rows come from -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_ROWSOURCES_H
#define TILEC_LIB_TILE_TRANSFORMS_ROWSOURCES_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Rows of an operand that come from one window, whose last axis is the contracted one.
struct Rows {
  mlir::tile::WindowOp window;
  int64_t first, count;
};

/// Where the rows of an operand of `reader` come from, in order: windows of tensors that nobody
/// writes, whose rows end where the tensor's do, read in each run of the product. Empty if that is
/// not known.
llvm::SmallVector<Rows> rowsOf(mlir::Value operand, mlir::tile::GemmOp reader);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_ROWSOURCES_H

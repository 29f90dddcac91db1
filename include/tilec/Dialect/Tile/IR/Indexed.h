//===- Indexed.h - what index tiles and their masks must be -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_TILE_IR_INDEXED_H
#define TILEC_DIALECT_TILE_IR_INDEXED_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::tile {

/// Checks the index, and the mask if there is one, of a gather, scatter or atomic on `tile` (a
/// window, a shared tile or a fragment) along `axis`: whole rows (rank 1), or, unless `rowsOnly`,
/// the tile's shape. Errors are reported at `op`.
LogicalResult verifyIndexed(Operation *op, Type tile, RankedTensorType index, Value mask,
                            int64_t axis, bool rowsOnly);

} // namespace mlir::tile

#endif // TILEC_DIALECT_TILE_IR_INDEXED_H

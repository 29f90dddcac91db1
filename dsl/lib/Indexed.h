//===- Indexed.h - rows and elements at an index tile -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_LIB_INDEXED_H
#define TILE_DSL_LIB_INDEXED_H

#include "Places.h"

namespace tile::inline dsl::detail {

/// An IndexedPlace with its tile found: operands of a gather, a scatter or an atomic operation.
struct IndexedTile {
  Builder &builder;
  Axes axes;  // of the tile, in the order of declaration
  Axis along; // the axis that the index replaces
  unsigned coordinate;
  Variable index;
  mlir::Value mask; // with the index's axes; null: everywhere
  bool isRows;      // the index has one axis

  /// Position of the axis in `order`.
  int64_t position(const Axes &order) const;
};

/// Checks the coordinates and the mask.
IndexedTile resolveIndexed(const IndexedPlace &place, Loc loc);
/// The window, with its axes in `order`, or the shared tile. `operation` names the user in errors.
mlir::Value emitIndexedMemory(const IndexedPlace &place, const IndexedTile &tile, const Axes &order,
                              bool writes, const char *operation, Loc loc);

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_LIB_INDEXED_H

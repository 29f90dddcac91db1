//===- Shaped.h - windows, shared tiles and fragments alike -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_TILE_IR_SHAPED_H
#define TILEC_DIALECT_TILE_IR_SHAPED_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace mlir::tile {

/// The extents and the element type of a window, a shared tile or a fragment.
struct Shaped {
  ArrayRef<int64_t> shape;
  Type element;
};
Shaped shapedOf(Type type);

/// An error at `op` unless both sides have the same shape and element type. Where `memory` is a
/// shared tile, its axis `indexed` may have any length: positions along it are looked up.
LogicalResult verifySameTile(Operation *op, Type memory, Type tile,
                             std::optional<int64_t> indexed = std::nullopt);

/// An error at `op` unless the pad value, if there is one, is an `element`.
LogicalResult verifyPad(Operation *op, std::optional<TypedAttr> pad, Type element);

} // namespace mlir::tile

#endif // TILEC_DIALECT_TILE_IR_SHAPED_H

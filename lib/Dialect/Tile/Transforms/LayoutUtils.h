//===- LayoutUtils.h - types and constants with layouts -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_LAYOUTUTILS_H
#define TILEC_LIB_TILE_TRANSFORMS_LAYOUTUTILS_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// True for operations whose result every thread can make for itself in any layout: constants,
/// positions, broadcasts of scalars.
bool isFreeInAnyLayout(mlir::Operation *op);

/// `type` (a ranked tensor) with another layout.
mlir::RankedTensorType withLayout(mlir::Type type, mlir::tile::FragAttr layout);

/// The layout of a fragment; nothing before layout assignment.
mlir::tile::FragAttr layoutOf(mlir::Value fragment);

/// Gives a constant's attribute the type of its result.
void setConstantType(mlir::arith::ConstantOp constant);

/// A copy of `op`, which is free in any layout, with a result of `type`, right behind `op`.
mlir::Value cloneInLayout(mlir::Operation *op, mlir::RankedTensorType type);

/// The layout that a partial reduction leaves, and the extent of its last axis.
struct PartialLayout {
  FragmentLayout layout;
  int64_t count;
};

/// `source` without `axis`. The warps that split it, and with `perThread` the lanes too, count
/// along a new last axis instead.
PartialLayout partialLayout(const FragmentLayout &source, int axis, bool perThread);

/// `type` with the widest swizzle of at most `limit` bytes that divides its rows.
mlir::tile::SharedType withSwizzle(mlir::tile::SharedType type, int64_t limit = 128);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_LAYOUTUTILS_H

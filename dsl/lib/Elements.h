//===- Elements.h - single elements of tensors and shared tiles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_LIB_ELEMENTS_H
#define TILE_DSL_LIB_ELEMENTS_H

#include "Places.h"

namespace tile::inline dsl::detail {

/// The indices of an element of a tensor; an error unless there is one per dimension.
llvm::SmallVector<mlir::Value> indicesOf(const Place &place);

struct SharedElement {
  Builder &builder;
  mlir::Value tile;
  llvm::SmallVector<mlir::Value> indices;
};
/// An element of a shared tile; an error unless there is one index per axis, inside the tile where
/// it is a number.
SharedElement resolveElement(const IndexedPlace &place);

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_LIB_ELEMENTS_H

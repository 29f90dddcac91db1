//===- Places.h - tensors with coordinates ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_LIB_PLACES_H
#define TILE_DSL_LIB_PLACES_H

#include "Builder.h"

namespace tile::inline dsl::detail {

const Parameter &parameterOf(const Place &place);
/// The axes of the place's windows, in the order of the tensor's dimensions.
Axes placeAxes(const Place &place);
/// An error where the parameter's declaration does not allow the access.
void checkAccess(const Place &place, bool writes, Loc loc);
/// The window with its axes in this order, which is that of the other side of `operation`.
mlir::Value emitWindow(const Place &place, const Axes &axes, const char *operation, Loc loc);
/// True if the axes have the same names in the same order.
bool sameOrder(const Axes &a, const Axes &b);

// Reshape.cpp.
/// `x` with its axes in the order `to`.
mlir::Value reorder(Builder &b, mlir::Value x, const Axes &from, const Axes &to, Loc loc);
/// `x` with those product axes taken apart that are no axis of the window; `axes` becomes its axes.
mlir::Value splitProducts(Builder &b, mlir::Value x, Axes &axes, const Axes &window, Loc loc);
/// The same of axes alone.
Axes spanned(Axes axes, const Axes &window);

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_LIB_PLACES_H

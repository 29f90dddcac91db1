//===- Reshape.h - axes taken apart, joined, renamed ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_RESHAPE_H
#define TILE_DSL_RESHAPE_H

#include "tile/dsl/Fragment.h"

#include <initializer_list>

namespace tile::inline dsl {

namespace detail {
Variable split(const Variable &x, const Axis &axis, Loc loc);
Variable join(const Variable &x, const Axis &axis, Loc loc);
/// Of the one axis if `from` is null.
Variable rename(const Variable &x, const Axis *from, const Axis &to, Loc loc);
Variable take(const Variable &x, const Axis &axis, int64_t position, Loc loc);
Variable stack(Element element, const std::vector<Variable> &parts, const Axis &axis, Loc loc);
} // namespace detail

/// Takes a product axis of the tile apart into its two factors. Pairs of a head, for example:
///
///     Axis pair("pair", 64), side("side", 2);
///     Axis d = pair * side;
///     auto pairs = split(x, d);             // [m, d] -> [m, pair, side]
///     auto even = take(pairs, side, 0);     // [m, pair]
template <detail::ElementType T>
Fragment<T> split(const Fragment<T> &x, const Axis &axis, Loc loc = Loc::current()) {
  return Fragment<T>(detail::split(x, axis, loc));
}

/// Puts the two factors of a product axis together; the inverse of split.
template <detail::ElementType T>
Fragment<T> join(const Fragment<T> &x, const Axis &axis, Loc loc = Loc::current()) {
  return Fragment<T>(detail::join(x, axis, loc));
}

/// The tile with its axis `from` called `to`, an axis of the same extent.
template <detail::ElementType T>
Fragment<T> rename(const Fragment<T> &x, const Axis &from, const Axis &to,
                   Loc loc = Loc::current()) {
  return Fragment<T>(detail::rename(x, &from, to, loc));
}
/// The same for a tile of one axis.
template <detail::ElementType T>
Fragment<T> rename(const Fragment<T> &x, const Axis &to, Loc loc = Loc::current()) {
  return Fragment<T>(detail::rename(x, nullptr, to, loc));
}

/// The elements at one position of an axis, which the result lacks.
template <detail::ElementType T>
Fragment<T> take(const Fragment<T> &x, const Axis &axis, int64_t position,
                 Loc loc = Loc::current()) {
  return Fragment<T>(detail::take(x, axis, position, loc));
}

/// Tiles beside each other along a new axis, one for each of its positions: `stack({even, odd},
/// side)`. The result has the axes of all of them, and the new one.
template <detail::ElementType T>
Fragment<T> stack(std::initializer_list<Fragment<T>> parts, const Axis &axis,
                  Loc loc = Loc::current()) {
  return Fragment<T>(detail::stack(detail::elementOf<T>, {parts.begin(), parts.end()}, axis, loc));
}

} // namespace tile::inline dsl

#endif // TILE_DSL_RESHAPE_H

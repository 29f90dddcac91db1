//===- Shared.h - tiles in shared memory ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_SHARED_H
#define TILE_DSL_SHARED_H

#include "tile/dsl/Global.h"

namespace tile::inline dsl {

namespace detail {
Variable sliceShared(const Variable &tile, const Axis &axis, const Input &start, const Axis &part,
                     Loc loc);
Variable takeShared(const Variable &tile, const Axis &axis, const Input &position, Loc loc);
} // namespace detail

/// Rows or elements of a shared tile at the positions in an index tile, as `IndexedSlice` is of a
/// tensor; source of a load, target of a store.
template <detail::ElementType T> struct IndexedShared {
  detail::IndexedPlace place;

  /// Only where the mask holds. A second mask replaces the first.
  IndexedShared where(const Fragment<i1> &mask) const {
    IndexedShared result = *this;
    result.place.mask = mask;
    return result;
  }
};

namespace detail {
/// One element of a shared tile.
Variable loadElement(const IndexedPlace &place);
Variable loadElementIndex(const IndexedPlace &place);
void storeElement(Element element, const Input &value, const IndexedPlace &place);
} // namespace detail

/// One element of a shared tile, target of a store.
template <detail::ElementType T> struct SharedElementRef {
  detail::IndexedPlace place;
};

/// A tile of T in the CTA's shared memory, its axes in memory order. Undefined until written;
/// allocated in a loop, it lives for one iteration.
template <detail::ElementType T> class Shared : public detail::Variable {
public:
  explicit Shared(detail::Variable variable) : Variable(std::move(variable)) {}

  /// The part of the tile from position `start` of `axis` on, as long as the axis `part`, which it
  /// has instead: `copy(K(p, page, d), keys.slice(n, j * page.extent(), page))`. It has to lie
  /// inside, and is not checked at run time. Of a product's operand, parts of rows start at
  /// multiples of 8.
  Shared slice(const Axis &axis, const IndexOperand &start, const Axis &part,
               Loc loc = Loc::current()) const {
    return Shared(detail::sliceShared(*this, axis, start, part, loc));
  }

  /// One coordinate per axis of the tile: an index tile in the place of one of them, and the tile's
  /// own axes for the others. With an Index or integer for each it reads one element, the same for
  /// the whole CTA, as of a tensor; it has to lie inside the tile.
  template <class A> auto operator()(const A &a, Loc loc = Loc::current()) const {
    return access(loc, a);
  }
  template <class A, class B>
  auto operator()(const A &a, const B &b, Loc loc = Loc::current()) const {
    return access(loc, a, b);
  }
  template <class A, class B, class C>
  auto operator()(const A &a, const B &b, const C &c, Loc loc = Loc::current()) const {
    return access(loc, a, b, c);
  }

  /// The element at these indices, for `store(scalar, tile.at({i, j}))`.
  SharedElementRef<T> at(const std::vector<IndexOperand> &indices, Loc loc = Loc::current()) const {
    return {{detail::Variable(*this), {indices.begin(), indices.end()}, loc}};
  }

private:
  template <class... C> auto access(Loc loc, const C &...coordinates) const {
    constexpr bool isElement = (std::convertible_to<C, IndexOperand> && ...);
    static_assert(
        isElement || (((std::same_as<C, Axis> || detail::IndexTile<C>) && ...) &&
                      (detail::IndexTile<C> || ...)),
        "a shared tile takes an index tile (a Fragment of i32 or i64) for one of its axes "
        "and an Axis for each other one, or an Index for each axis");
    detail::IndexedPlace place{
        detail::Variable(*this), {detail::coordinate(coordinates, loc)...}, loc};
    if constexpr (!isElement)
      return IndexedShared<T>{std::move(place)};
    else if constexpr (std::same_as<T, i32> || std::same_as<T, i64>)
      return Index(detail::loadElementIndex(place));
    else
      return Fragment<T>(detail::loadElement(place));
  }
};

/// The part of a shared tile at one position of its first axis, which the part lacks: a copy's
/// target, say. The position has to lie inside, and is not checked at run time.
template <detail::ElementType T>
Shared<T> take(const Shared<T> &tile, const Axis &axis, const IndexOperand &position,
               Loc loc = Loc::current()) {
  return Shared<T>(detail::takeShared(tile, axis, position, loc));
}

/// Writes one element, once per CTA.
template <detail::ElementType T>
void store(const std::type_identity_t<Operand<T>> &value, const SharedElementRef<T> &target) {
  detail::storeElement(detail::elementOf<T>, value, target.place);
}

} // namespace tile::inline dsl

#endif // TILE_DSL_SHARED_H

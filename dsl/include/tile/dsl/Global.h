//===- Global.h - tensors in global memory, windows of them -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_GLOBAL_H
#define TILE_DSL_GLOBAL_H

#include "tile/dsl/Fragment.h"

#include <optional>

namespace tile::inline dsl {

/// Positions [start, start + extent) of an axis. Those below 0 and those at or past the limit are
/// not there: reads give the pad value, stores are dropped. Start and limit may be any 64-bit
/// value.
class Window {
public:
  Window(Axis axis, detail::Input start, bool isBlock)
      : windowAxis(std::move(axis)), startInput(std::move(start)), isBlock(isBlock) {}

  /// The first position that is not there any more. A second limit replaces the first. Of all parts
  /// where there are several (`Axis::of`).
  Window limit(const IndexOperand &end) const;

  /// Position of each element in the tensor, as i32; starts outside i32 are brought into its range.
  Fragment<i32> position(Loc loc = Loc::current()) const;
  /// Which elements are there, as far as the window knows: not before 0, and below the limit if one
  /// is given. Right for every 64-bit start and every limit of at least 0.
  Fragment<i1> valid(Loc loc = Loc::current()) const;

  const Axis &axis() const { return windowAxis; }
  const detail::Input &start() const { return startInput; }
  /// The start counts blocks of the axis's extent.
  bool startIsBlock() const { return isBlock; }
  const std::optional<detail::Input> &end() const { return endInput; }
  /// The windows that it consists of, in order; none if it is one itself.
  const std::vector<Window> &parts() const { return partList; }

private:
  friend class Axis;
  Axis windowAxis;
  detail::Input startInput;
  bool isBlock;
  std::optional<detail::Input> endInput;
  std::vector<Window> partList;
};

namespace detail {

/// One coordinate of a tensor: an element's index, a window, an axis for the whole dimension, or an
/// index tile.
struct Coordinate {
  std::variant<Input, Window> where;
  bool isWhole = false, isIndexTile = false;

  Coordinate(const IndexOperand &index) : where(index) {}
  Coordinate(const Window &window) : where(window) {}
  Coordinate(const Axis &axis, Loc loc)
      : where(Window(axis, {int64_t(0), loc}, false)), isWhole(true) {}
  template <class N>
  Coordinate(const Fragment<N> &index, Loc loc) : where(Input{index, loc}), isIndexTile(true) {}
};

template <class C>
concept SpansAxis = std::same_as<C, Window> || std::same_as<C, Axis>;
template <class C>
concept IndexTile = std::same_as<C, Fragment<i32>> || std::same_as<C, Fragment<i64>>;
template <class C>
concept CoordinateType = SpansAxis<C> || IndexTile<C> || std::convertible_to<C, IndexOperand>;

template <CoordinateType C> Coordinate coordinate(const C &c, Loc loc) {
  if constexpr (std::same_as<C, Axis> || IndexTile<C>)
    return Coordinate(c, loc);
  else if constexpr (std::same_as<C, Window>)
    return Coordinate(c);
  else
    return Coordinate(IndexOperand(c, loc));
}

/// A tensor parameter: which one, of which kernel.
struct GlobalHandle {
  Builder *builder = nullptr;
  unsigned parameter = 0;
};

/// A tensor with coordinates.
struct Place {
  GlobalHandle tensor;
  std::vector<Coordinate> coordinates;
  Loc loc;
};

/// Rows or elements of a tensor, or of a shared tile, at an index tile.
struct IndexedPlace {
  std::variant<GlobalHandle, Variable> memory;
  std::vector<Coordinate> coordinates;
  Loc loc;
  std::optional<Variable> mask = {};
};

/// As declared.
Dim extentOf(const GlobalHandle &tensor, unsigned dim);
Variable loadScalar(const Place &place);
Variable loadScalarIndex(const Place &place);

} // namespace detail

/// A rectangle of a global tensor, target or source of copy, load and store.
template <detail::ElementType T> struct Slice {
  detail::Place place;
};

/// Rows or elements of a global tensor at the positions in an index tile, source or target of copy,
/// load and store. An index of one axis picks whole rows, one of all axes of the tile an element
/// each. An index that names no row (a negative one, too) reads as the pad value and is not
/// written; which of several writes to one place stays is not defined.
template <detail::ElementType T> struct IndexedSlice {
  detail::IndexedPlace place;

  /// Only where the mask holds. A second mask replaces the first.
  IndexedSlice where(const Fragment<i1> &mask) const {
    IndexedSlice result = *this;
    result.place.mask = mask;
    return result;
  }
};

/// One element of a global tensor, target of a store.
template <detail::ElementType T> struct ElementRef {
  detail::Place place;
};

/// A tensor parameter. Called with one coordinate per dimension (an Index, an integer, a Dim, a
/// Window, an Axis, an index tile): with an index tile it gives an IndexedSlice, with at least one
/// axis a Slice; otherwise it reads one element, the same for the whole CTA: an Index from i32 and
/// i64 tensors, a scalar fragment from others. An element outside the tensor reads as 0.
template <detail::ElementType T> class Global {
public:
  explicit Global(detail::GlobalHandle handle) : handle(handle) {}

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
  template <class A, class B, class C, class D>
  auto operator()(const A &a, const B &b, const C &c, const D &d, Loc loc = Loc::current()) const {
    return access(loc, a, b, c, d);
  }
  template <class A, class B, class C, class D, class E>
  auto operator()(const A &a, const B &b, const C &c, const D &d, const E &e,
                  Loc loc = Loc::current()) const {
    return access(loc, a, b, c, d, e);
  }

  /// The element at these indices, for `store(scalar, tensor.at({b, h, i}))`.
  ElementRef<T> at(const std::vector<IndexOperand> &indices, Loc loc = Loc::current()) const {
    return {{handle, {indices.begin(), indices.end()}, loc}};
  }

  /// The extent of a dimension, as declared.
  Dim extent(unsigned dim) const { return detail::extentOf(handle, dim); }

private:
  template <class... C> auto access(Loc loc, const C &...coordinates) const {
    static_assert((detail::CoordinateType<C> && ...),
                  "a coordinate is an Index, an integer, a Dim, a Window, an Axis or an index tile "
                  "(a Fragment of i32 or i64)");
    std::vector<detail::Coordinate> where{detail::coordinate(coordinates, loc)...};
    if constexpr ((detail::IndexTile<C> || ...))
      return IndexedSlice<T>{{handle, std::move(where), loc}};
    else if constexpr ((detail::SpansAxis<C> || ...))
      return Slice<T>{{handle, std::move(where), loc}};
    else if constexpr (std::same_as<T, i32> || std::same_as<T, i64>)
      return Index(detail::loadScalarIndex({handle, std::move(where), loc}));
    else
      return Fragment<T>(detail::loadScalar({handle, std::move(where), loc}));
  }

  detail::GlobalHandle handle;
};

} // namespace tile::inline dsl

#endif // TILE_DSL_GLOBAL_H

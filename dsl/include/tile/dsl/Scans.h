//===- Scans.h - prefixes and positions of maxima ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_SCANS_H
#define TILE_DSL_SCANS_H

#include "tile/dsl/Fragment.h"

namespace tile::inline dsl {

/// Which elements of the axis go into element i: 0 to i; with `exclusive` 0 to i-1; with `reverse`
/// those from i, or i+1, to the end.
struct Scan {
  bool exclusive = false, reverse = false;
};

namespace detail {
enum class ScanOperation : uint8_t { sum, max };
Variable scan(ScanOperation operation, const Variable &x, const Axis &axis, Scan options, Loc loc);
Variable argmax(const Variable &x, const Axis &axis, Loc loc);

template <class T>
concept Scannable = std::same_as<T, f32> || std::same_as<T, i32> || std::same_as<T, i64>;
} // namespace detail

/// The sum of each element with those before it along the axis; 0 where there are none. Floats may
/// be summed in any order.
template <detail::Scannable T>
Fragment<T> scan_sum(const Fragment<T> &x, const Axis &axis, Scan options = {},
                     Loc loc = Loc::current()) {
  return Fragment<T>(detail::scan(detail::ScanOperation::sum, x, axis, options, loc));
}
/// The largest of each element and those before it along the axis, passing over NaN; -inf or the
/// lowest integer where there are none.
template <detail::Scannable T>
Fragment<T> scan_max(const Fragment<T> &x, const Axis &axis, Scan options = {},
                     Loc loc = Loc::current()) {
  return Fragment<T>(detail::scan(detail::ScanOperation::max, x, axis, options, loc));
}

/// The position of the largest element along an axis, which the result lacks; the lowest one among
/// equals. NaN is never the largest; of NaN alone it is 0.
template <detail::Arithmetic T>
Fragment<i32> argmax(const Fragment<T> &x, const Axis &axis, Loc loc = Loc::current()) {
  return Fragment<i32>(detail::argmax(x, axis, loc));
}

} // namespace tile::inline dsl

#endif // TILE_DSL_SCANS_H

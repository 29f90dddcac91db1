//===- Dim.h - extents known at launch --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_DIM_H
#define TILE_DSL_DIM_H

#include "tile/dsl/Types.h"

#include <memory>

namespace tile::inline dsl {
namespace detail {
struct DimNode;
}

/// A launch-time integer: a name, a number, or an expression of them. Dimensions with the same name
/// are the same dimension; the launcher checks that all tensors agree on it. Never negative, but a
/// difference may be.
class Dim {
public:
  /// A letter or '_' first, then letters, digits, '_'.
  explicit Dim(const std::string &name, Loc loc = Loc::current());
  Dim(int64_t value);
  Dim(int value) : Dim(static_cast<int64_t>(value)) {}
  /// The multiprocessors of the device, on the host its threads. For grids and extents: the kernel
  /// itself does not know it.
  static Dim sm_count();

  /// Promises that the value is a multiple of `factor`; the launcher checks it. On a name only.
  Dim &multiple_of(int64_t factor, Loc loc = Loc::current());

  friend Dim operator+(const Dim &a, const Dim &b) { return binary('+', a, b); }
  friend Dim operator-(const Dim &a, const Dim &b) { return binary('-', a, b); }
  friend Dim operator*(const Dim &a, const Dim &b) { return binary('*', a, b); }
  /// Rounded down.
  friend Dim operator/(const Dim &a, const Dim &b) { return binary('/', a, b); }
  friend Dim operator%(const Dim &a, const Dim &b) { return binary('%', a, b); }
  /// a / b rounded up; b is at least 1.
  friend Dim ceil_div(const Dim &a, const Dim &b) { return binary('c', a, b); }
  friend Dim min(const Dim &a, const Dim &b) { return binary('<', a, b); }
  friend Dim max(const Dim &a, const Dim &b) { return binary('>', a, b); }

  const detail::DimNode &node() const { return *shared; }

private:
  static Dim binary(char operation, const Dim &a, const Dim &b);
  explicit Dim(std::shared_ptr<detail::DimNode> shared) : shared(std::move(shared)) {}

  std::shared_ptr<detail::DimNode> shared;
};

} // namespace tile::inline dsl

#endif // TILE_DSL_DIM_H

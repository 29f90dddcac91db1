//===- Axis.h - named axes of tiles -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_AXIS_H
#define TILE_DSL_AXIS_H

#include "tile/dsl/Types.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tile::inline dsl {
struct IndexOperand;
class Window;

struct AxisOperand;

/// An axis of tiles: a name and an extent fixed when the kernel is built. Operations match axes by
/// name, and the axes of a fragment lie in the order in which they were declared. Within a kernel a
/// name is one axis: declaring it again with another extent is an error where the two meet.
///
/// `Axis qh = q * h` is a product axis: its element i is (i / h.extent(), i % h.extent()). `split`
/// takes it apart and `join` puts it together.
class Axis {
public:
  Axis(const std::string &name, int64_t extent, Loc loc = Loc::current());

  const std::string &name() const { return axisName; }
  int64_t extent() const { return length; }
  /// Position in the order of declarations.
  unsigned order() const { return declared; }
  Loc loc() const { return declaredAt; }

  /// An axis with every pair of positions of the two, the second varying fastest.
  friend Axis operator*(const AxisOperand &outer, const AxisOperand &inner);
  bool isProduct() const { return factors != nullptr; }
  /// Of a product.
  const Axis &outer() const { return factors->first; }
  const Axis &inner() const { return factors->second; }

  /// The block with this number: positions [block * extent, (block + 1) * extent).
  Window at(const IndexOperand &block) const;
  /// Positions [position, position + extent).
  Window from(const IndexOperand &position) const;
  /// Positions that lie apart in the tensor: those of each window, one after the other. The
  /// windows' extents add up to the axis's. A copy of it fills a shared tile part by part:
  ///
  ///     Axis page("page", 64), n("n", 128);
  ///     auto keys = n.of({page.at(table(i * 2)), page.at(table(i * 2 + 1))});
  ///     copy(K(keys, d), ks); // ks is [n, d]
  Window of(const std::vector<Window> &windows, Loc loc = Loc::current()) const;

private:
  std::string axisName;
  int64_t length;
  unsigned declared;
  Loc declaredAt;
  std::shared_ptr<const std::pair<Axis, Axis>> factors;
};

/// A factor of a product axis, and where it was written.
struct AxisOperand {
  AxisOperand(const Axis &axis, Loc loc = Loc::current()) : axis(axis), loc(loc) {}
  const Axis &axis;
  Loc loc;
};
Axis operator*(const AxisOperand &outer, const AxisOperand &inner);

} // namespace tile::inline dsl

#endif // TILE_DSL_AXIS_H

//===- Axis.h - named axes of tiles -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_AXIS_H
#define TILE_DSL_AXIS_H

#include "tile/dsl/Types.h"

#include <string>

namespace tile::inline dsl {
struct IndexOperand;
class Window;

/// An axis of tiles: a name and an extent fixed when the kernel is built. Operations match axes by
/// name, and the axes of a fragment lie in the order in which they were declared. Within a kernel a
/// name is one axis: declaring it again with another extent is an error where the two meet.
class Axis {
public:
  Axis(const std::string &name, int64_t extent, Loc loc = Loc::current());

  const std::string &name() const { return axisName; }
  int64_t extent() const { return length; }
  /// Position in the order of declarations.
  unsigned order() const { return declared; }
  Loc loc() const { return declaredAt; }

  /// The block with this number: positions [block * extent, (block + 1) * extent).
  Window at(const IndexOperand &block) const;
  /// Positions [position, position + extent).
  Window from(const IndexOperand &position) const;

private:
  std::string axisName;
  int64_t length;
  unsigned declared;
  Loc declaredAt;
};

} // namespace tile::inline dsl

#endif // TILE_DSL_AXIS_H

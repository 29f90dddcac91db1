//===- Value.h - variables of the author and operands -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_VALUE_H
#define TILE_DSL_VALUE_H

#include "tile/dsl/Axis.h"
#include "tile/dsl/Dim.h"

#include <variant>
#include <vector>

namespace tile::inline dsl::detail {

class Builder;
using Axes = std::vector<Axis>;

/// A C++ variable that names a value of the kernel. Assigning it makes it name another value. All
/// variables that are alive stand in one list, so that a loop can carry those that its body assigns
/// and a branch can merge them; that is why `acc = acc + x` in a loop means what it says.
class Variable {
public:
  /// `memory` handles (shared tiles) cannot be carried.
  enum class Kind : uint8_t { value, memory };

  Variable() = default;
  Variable(Builder &builder, void *value, Axes axes = {}, Kind kind = Kind::value);
  Variable(const Variable &other);
  Variable &operator=(const Variable &other);
  ~Variable();

  /// In the order in which the axes of the tile lie; none for a scalar.
  const Axes &axes() const { return axisList; }
  Builder *builder() const { return owner; }

private:
  friend class Builder;
  void link();
  void unlink();

  Builder *owner = nullptr;
  void *value = nullptr; // mlir::Value; null: no value here
  Axes axisList;
  Kind kind = Kind::value;
  Variable *previous = nullptr, *next = nullptr;
};

/// An operand as the author wrote it: a number, a dimension, or a variable, and where.
struct Input {
  std::variant<int64_t, double, Dim, Variable> source;
  Loc loc;

  const Variable *variable() const { return std::get_if<Variable>(&source); }
};

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_VALUE_H

//===- Carried.h - the author's variables across a region -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_LIB_CARRIED_H
#define TILE_DSL_LIB_CARRIED_H

#include "Builder.h"

namespace tile::inline dsl::detail {

/// What a loop's body did to the variables that the loop may carry.
struct Changes {
  llvm::SmallVector<size_t> positions;   ///< among the slots
  llvm::SmallVector<mlir::Value> values; ///< what each of them names at the end
};

/// The variables alive when a region starts, and what they name before, in, and after it.
class Carried {
public:
  explicit Carried(Builder &b);
  ~Carried() { llvm::erase(b.watched, &variables); }
  Carried(const Carried &) = delete;

  size_t size() const { return variables.size(); }
  bool isAlive(size_t i) const { return variables[i]; }
  bool isMemory(size_t i) const { return isAlive(i) && Builder::isMemory(*variables[i]); }
  mlir::Value now(size_t i) const { return isAlive(i) ? b.current(*variables[i]) : before[i]; }
  void set(size_t i, mlir::Value value) {
    if (isAlive(i))
      b.set(*variables[i], value);
  }
  void restore() {
    for (size_t i = 0; i < size(); ++i)
      set(i, before[i]);
  }
  /// An error unless variable i may change to what it names now.
  void check(size_t i, const char *where, Loc loc) const;

  /// Those that a loop can carry: no handles of memory.
  llvm::SmallVector<size_t> valueSlots() const;
  /// What the slots name before the region.
  llvm::SmallVector<mlir::Value> initial(llvm::ArrayRef<size_t> slots) const;
  /// Makes the slots name the arguments of a loop's region.
  void enter(llvm::ArrayRef<size_t> slots, mlir::ValueRange arguments);
  /// What the body of a loop, which `enter`ed with these arguments, has changed.
  Changes changes(llvm::ArrayRef<size_t> slots, mlir::ValueRange arguments, Loc loc) const;

  Builder &b;
  std::vector<Variable *> variables;
  std::vector<mlir::Value> before;
  std::vector<Axes> axes;
};

/// A loop over [from, to) by `step` that carries the variables which its body changes (Loops.cpp).
mlir::scf::ForOp countedLoop(Builder &b, mlir::Value from, mlir::Value to, mlir::Value step,
                             const LoopBody &body, Loc loc);

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_LIB_CARRIED_H

//===- Carried.cpp - the author's variables across a region ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Carried.h"

namespace tile::inline dsl::detail {

Carried::Carried(Builder &b) : b(b), variables(b.aliveVariables()) {
  for (Variable *variable : variables) {
    before.push_back(b.current(*variable));
    axes.push_back(variable->axes());
  }
  b.watched.push_back(&variables);
}

void Carried::check(size_t i, const char *where, Loc loc) const {
  if (isMemory(i))
    fail(loc, std::string("a ") + where +
                  " makes a shared tile's variable name another tile; "
                  "allocate the tiles before it and copy between them");
  if (!now(i))
    fail(loc, std::string("a ") + where + " leaves a variable without a value");
  if (now(i).getType() != before[i].getType())
    fail(loc, std::string("a ") + where + " changes the axes of a variable from " + text(axes[i]) +
                  " to " + text(variables[i]->axes()) + "; give it all its axes before");
}

llvm::SmallVector<size_t> Carried::valueSlots() const {
  llvm::SmallVector<size_t> slots;
  for (size_t i = 0; i < size(); ++i)
    if (!isMemory(i))
      slots.push_back(i);
  return slots;
}

llvm::SmallVector<mlir::Value> Carried::initial(llvm::ArrayRef<size_t> slots) const {
  return llvm::map_to_vector(slots, [&](size_t slot) { return before[slot]; });
}

void Carried::enter(llvm::ArrayRef<size_t> slots, mlir::ValueRange arguments) {
  for (auto [slot, argument] : llvm::zip_equal(slots, arguments))
    set(slot, argument);
}

Changes Carried::changes(llvm::ArrayRef<size_t> slots, mlir::ValueRange arguments, Loc loc) const {
  Changes result;
  for (size_t i = 0; i < size(); ++i)
    if (isMemory(i) && now(i) != before[i])
      check(i, "loop", loc);
  for (auto [position, slot] : llvm::enumerate(slots)) {
    if (now(slot) == arguments[position] || !isAlive(slot))
      continue;
    check(slot, "loop", loc);
    result.positions.push_back(position);
    result.values.push_back(now(slot));
  }
  return result;
}

} // namespace tile::inline dsl::detail

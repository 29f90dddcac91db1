//===- While.cpp - loops with a condition of the device --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// As for counted loops: every live variable is carried first, then the loop is rebuilt with those
// that the body changes. The condition is computed anew before each iteration, from their values.

#include "Carried.h"

namespace tile::inline dsl::detail {

namespace {
class WhileLoop {
public:
  WhileLoop(Builder &b, Loc loc) : b(b), loc(loc), carried(b), slots(carried.valueSlots()) {}

  void run(const LoopCondition &condition, const BranchBody &body);

private:
  mlir::scf::WhileOp open(mlir::ValueRange initial);
  void buildCondition(const LoopCondition &condition);
  /// The loop with the changed variables only.
  mlir::scf::WhileOp rebuild(const Changes &changes);

  Builder &b;
  Loc loc;
  Carried carried;
  llvm::SmallVector<size_t> slots;
  mlir::scf::WhileOp loop;
};
} // namespace

mlir::scf::WhileOp WhileLoop::open(mlir::ValueRange initial) {
  auto noBody = [](mlir::OpBuilder &, mlir::Location, mlir::ValueRange) {};
  return mlir::scf::WhileOp::create(b, b.location(loc), initial.getTypes(), initial, noBody,
                                    noBody);
}

void WhileLoop::buildCondition(const LoopCondition &condition) {
  carried.enter(slots, loop.getBeforeArguments());
  b.setInsertionPointToEnd(loop.getBeforeBody());
  Fragment<i1> result = condition();
  if (!result.builder())
    fail(loc, "the condition of the loop has no value");
  mlir::Value value = b.get(result, loc);
  if (!result.axes().empty())
    fail(loc, "loop_while takes one condition for the whole tile, but this one has axes " +
                  text(result.axes()) + "; reduce it with reduce_any or reduce_all");
  if (!carried.changes(slots, loop.getBeforeArguments(), loc).positions.empty())
    fail(loc, "the condition of a loop changes a variable; change it in the body");
  mlir::scf::ConditionOp::create(b, b.location(loc), value, loop.getBeforeArguments());
}

mlir::scf::WhileOp WhileLoop::rebuild(const Changes &changes) {
  b.setInsertionPoint(loop);
  mlir::scf::WhileOp old = loop;
  llvm::SmallVector<mlir::Value> initial;
  for (size_t position : changes.positions)
    initial.push_back(old.getInits()[position]);
  mlir::scf::WhileOp result = open(initial);
  auto move = [&](mlir::Block &from, mlir::Block &to) {
    size_t next = 0;
    for (auto [i, argument] : llvm::enumerate(from.getArguments())) {
      bool keep = next < changes.positions.size() && changes.positions[next] == i;
      argument.replaceAllUsesWith(keep ? mlir::Value(to.getArgument(next++)) : old.getInits()[i]);
    }
    to.getOperations().splice(to.end(), from.getOperations());
  };
  old.getConditionOp().getArgsMutable().assign(
      llvm::map_to_vector(changes.positions, [&](size_t position) -> mlir::Value {
        return old.getBeforeArguments()[position];
      }));
  move(*old.getBeforeBody(), *result.getBeforeBody());
  move(*old.getAfterBody(), *result.getAfterBody());
  old.erase();
  return result;
}

void WhileLoop::run(const LoopCondition &condition, const BranchBody &body) {
  loop = open(carried.initial(slots));
  buildCondition(condition);
  b.forgetValuesOf(loop.getBefore());
  carried.enter(slots, loop.getAfterArguments());
  b.setInsertionPointToEnd(loop.getAfterBody());
  body();
  Changes changes = carried.changes(slots, loop.getAfterArguments(), loc);
  mlir::scf::YieldOp::create(b, b.location(loc), changes.values);
  carried.restore();
  b.forgetValuesOf(loop.getAfter());
  loop = rebuild(changes);
  canonicalizeOrder(*loop.getBeforeBody());
  canonicalizeOrder(*loop.getAfterBody());
  for (auto [result, position] : llvm::zip_equal(loop.getResults(), changes.positions))
    carried.set(slots[position], result);
  b.setInsertionPointAfter(loop);
}

void whileLoop(Builder &b, const LoopCondition &condition, const BranchBody &body, Loc loc) {
  WhileLoop(b, loc).run(condition, body);
}

} // namespace tile::inline dsl::detail

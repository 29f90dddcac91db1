//===- Loops.cpp - loops and branches that carry the author's variables ---===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop starts with every live variable as a loop-carried value. When its body ends, the variables
// that it did not change are dropped again and the loop is rebuilt with the rest.

#include "Carried.h"

namespace tile::inline dsl::detail {

static void noBody(mlir::OpBuilder &, mlir::Location, mlir::Value, mlir::ValueRange) {}

/// The loop with the changed variables only. Its body ends in the yield of those.
static mlir::scf::ForOp rebuild(Builder &b, mlir::scf::ForOp old, llvm::ArrayRef<size_t> changed) {
  b.setInsertionPoint(old);
  llvm::SmallVector<mlir::Value> initial;
  for (size_t i : changed)
    initial.push_back(old.getInitArgs()[i]);
  auto loop = mlir::scf::ForOp::create(b, old.getLoc(), old.getLowerBound(), old.getUpperBound(),
                                       old.getStep(), initial, noBody);
  size_t next = 0;
  old.getInductionVar().replaceAllUsesWith(loop.getInductionVar());
  for (auto [i, argument] : llvm::enumerate(old.getRegionIterArgs())) {
    bool keep = next < changed.size() && changed[next] == i;
    argument.replaceAllUsesWith(keep ? loop.getRegionIterArg(next++) : old.getInitArgs()[i]);
  }
  loop.getBody()->getOperations().splice(loop.getBody()->end(), old.getBody()->getOperations());
  old.erase();
  return loop;
}

void loop(Builder &b, const Input &count, const Pipeline *pipeline, const LoopBody &body, Loc loc) {
  if (pipeline && pipeline->stages < 1)
    fail(loc, "a pipelined loop has at least 1 stage; found " + std::to_string(pipeline->stages));
  mlir::Value trips = b.indexValue(count);
  mlir::Value zero = b.indexConstant(0, loc), one = b.indexConstant(1, loc);
  mlir::scf::ForOp loop = countedLoop(b, zero, trips, one, body, loc);
  if (pipeline)
    loop->setAttr(mlir::tile::TileDialect::pipelineAttrName,
                  mlir::tile::PipelineAttr::get(b.getContext(), pipeline->stages));
}

mlir::scf::ForOp countedLoop(Builder &b, mlir::Value from, mlir::Value to, mlir::Value step,
                             const LoopBody &body, Loc loc) {
  Carried carried(b);
  llvm::SmallVector<size_t> slots = carried.valueSlots();
  auto loop =
      mlir::scf::ForOp::create(b, b.location(loc), from, to, step, carried.initial(slots), noBody);
  carried.enter(slots, loop.getRegionIterArgs());
  b.setInsertionPointToEnd(loop.getBody());
  body(Index(b.make(loop.getInductionVar())));

  Changes changes = carried.changes(slots, loop.getRegionIterArgs(), loc);
  mlir::scf::YieldOp::create(b, b.location(loc), changes.values);
  carried.restore();
  b.forgetValuesOf(loop.getRegion());
  loop = rebuild(b, loop, changes.positions);
  canonicalizeOrder(*loop.getBody());
  for (auto [result, position] : llvm::zip_equal(loop.getResults(), changes.positions))
    carried.set(slots[position], result);
  b.setInsertionPointAfter(loop);
  return loop;
}

/// Runs one side of a branch; returns what every variable names at its end.
static std::vector<mlir::Value> runSide(Builder &b, Carried &carried, mlir::Block &block,
                                        const BranchBody &body, Loc loc) {
  b.setInsertionPointToEnd(&block);
  if (body)
    body();
  std::vector<mlir::Value> after;
  for (size_t i = 0; i < carried.size(); ++i) {
    if (carried.now(i) != carried.before[i])
      carried.check(i, "branch", loc);
    after.push_back(carried.now(i));
  }
  carried.restore();
  b.forgetValuesOf(*block.getParent());
  return after;
}

static void closeSide(Builder &b, mlir::Block &block, llvm::ArrayRef<size_t> changed,
                      const std::vector<mlir::Value> &after, Loc loc) {
  llvm::SmallVector<mlir::Value> yielded;
  for (size_t i : changed)
    yielded.push_back(after[i]);
  b.setInsertionPointToEnd(&block);
  mlir::scf::YieldOp::create(b, b.location(loc), yielded);
  canonicalizeOrder(block);
}

/// The branch with results, around the two blocks of `draft`.
static mlir::scf::IfOp withResults(Builder &b, mlir::scf::IfOp draft, mlir::TypeRange types) {
  b.setInsertionPoint(draft);
  auto branch = mlir::scf::IfOp::create(b, draft.getLoc(), types, draft.getCondition(), true);
  branch.getThenRegion().takeBody(draft.getThenRegion());
  if (types.empty() && draft.elseBlock()->without_terminator().empty())
    branch.getElseRegion().getBlocks().clear();
  else
    branch.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  return branch;
}

void when(const Variable &condition, const BranchBody &then, const BranchBody &otherwise, Loc loc) {
  if (!condition.builder())
    fail(loc, "the condition has no value");
  Builder &b = *condition.builder();
  if (!condition.axes().empty())
    fail(loc, "when takes one condition for the whole tile, but this one has axes " +
                  text(condition.axes()) +
                  "; use where, or reduce it with reduce_any or reduce_all");
  auto draft =
      mlir::scf::IfOp::create(b, b.location(loc), mlir::TypeRange(), b.get(condition, loc), true);
  draft.thenBlock()->clear();
  draft.elseBlock()->clear();
  Carried carried(b);
  std::vector<mlir::Value> left = runSide(b, carried, *draft.thenBlock(), then, loc);
  std::vector<mlir::Value> right = runSide(b, carried, *draft.elseBlock(), otherwise, loc);
  llvm::SmallVector<size_t> changed;
  llvm::SmallVector<mlir::Type> types;
  for (size_t i = 0; i < carried.size(); ++i)
    if (carried.isAlive(i) && (left[i] != carried.before[i] || right[i] != carried.before[i])) {
      changed.push_back(i);
      types.push_back(carried.before[i].getType());
    }
  closeSide(b, *draft.thenBlock(), changed, left, loc);
  closeSide(b, *draft.elseBlock(), changed, right, loc);
  mlir::scf::IfOp branch = withResults(b, draft, types);
  for (auto [result, i] : llvm::zip(branch.getResults(), changed))
    carried.set(i, result);
  b.setInsertionPointAfter(branch);
}

} // namespace tile::inline dsl::detail

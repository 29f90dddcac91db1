//===- Loops.cpp - loops and branches that carry the author's variables ---===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop starts with every live variable as a loop-carried value. When its body ends, the variables
// that it did not change are dropped again and the loop is rebuilt with the rest.

#include "Builder.h"

namespace tile::inline dsl::detail {

namespace {

/// The variables alive when a region starts, and what they name before, in, and after it.
class Carried {
public:
  explicit Carried(Builder &b) : b(b), variables(b.aliveVariables()) {
    for (Variable *variable : variables) {
      before.push_back(b.current(*variable));
      axes.push_back(variable->axes());
    }
    b.watched.push_back(&variables);
  }
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

  Builder &b;
  std::vector<Variable *> variables;
  std::vector<mlir::Value> before;
  std::vector<Axes> axes;
};

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

} // namespace

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

static mlir::scf::ForOp openLoop(Builder &b, mlir::Value count, const Carried &carried,
                                 llvm::ArrayRef<size_t> slots, Loc loc) {
  llvm::SmallVector<mlir::Value> initial;
  for (size_t slot : slots)
    initial.push_back(carried.before[slot]);
  mlir::Value zero = b.indexConstant(0, loc), one = b.indexConstant(1, loc);
  return mlir::scf::ForOp::create(b, b.location(loc), zero, count, one, initial, noBody);
}

static llvm::SmallVector<size_t> valueSlots(const Carried &carried) {
  llvm::SmallVector<size_t> slots;
  for (size_t i = 0; i < carried.size(); ++i)
    if (!carried.isMemory(i))
      slots.push_back(i);
  return slots;
}

void loop(Builder &b, const Input &count, const Pipeline *pipeline, const LoopBody &body, Loc loc) {
  if (pipeline && pipeline->stages < 1)
    fail(loc, "a pipelined loop has at least 1 stage; found " + std::to_string(pipeline->stages));
  mlir::Value trips = b.indexValue(count);
  Carried carried(b);
  llvm::SmallVector<size_t> slots = valueSlots(carried);
  mlir::scf::ForOp loop = openLoop(b, trips, carried, slots, loc);
  for (auto [slot, argument] : llvm::zip(slots, loop.getRegionIterArgs()))
    carried.set(slot, argument);
  b.setInsertionPointToEnd(loop.getBody());
  body(Index(b.make(loop.getInductionVar())));

  llvm::SmallVector<size_t> changed; // positions in slots
  llvm::SmallVector<mlir::Value> yielded;
  for (size_t i = 0; i < carried.size(); ++i)
    if (carried.isMemory(i) && carried.now(i) != carried.before[i])
      carried.check(i, "loop", loc);
  for (auto [position, slot] : llvm::enumerate(slots)) {
    if (carried.now(slot) == loop.getRegionIterArg(position) || !carried.isAlive(slot))
      continue;
    carried.check(slot, "loop", loc);
    changed.push_back(position);
    yielded.push_back(carried.now(slot));
  }
  mlir::scf::YieldOp::create(b, b.location(loc), yielded);
  carried.restore();
  b.forgetValuesOf(loop.getRegion());
  loop = rebuild(b, loop, changed);
  canonicalizeOrder(*loop.getBody());
  if (pipeline)
    loop->setAttr(mlir::tile::TileDialect::pipelineAttrName,
                  mlir::tile::PipelineAttr::get(b.getContext(), pipeline->stages));
  for (auto [result, position] : llvm::zip(loop.getResults(), changed))
    carried.set(slots[position], result);
  b.setInsertionPointAfter(loop);
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

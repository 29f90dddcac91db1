//===- SkipIterations.cpp - loops over the iterations that do something ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/AddressWork.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#define DEBUG_TYPE "tile-skip-iterations"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_SKIPITERATIONSPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
/// A loop whose body stands under one condition.
struct GuardedLoop {
  scf::ForOp loop;
  scf::IfOp guard;
  SetVector<Operation *> condition; // computes the guard's condition, in the loop's body
};

/// Writes the loop over the iterations that are taken.
class Skipper {
public:
  Skipper(GuardedLoop guarded, OpBuilder &builder)
      : guarded(guarded), loop(guarded.loop), guard(guarded.guard), loc(guard.getLoc()),
        builder(builder) {}
  void run();

private:
  /// Whether iteration `at` is taken.
  Value taken(OpBuilder &b, Value at);
  Value countTaken();
  /// The first iteration from `at` on that is taken; the loop's end or more if there is none.
  Value search(OpBuilder &b, Value at);
  void body(OpBuilder &b, ValueRange carried);

  GuardedLoop guarded;
  scf::ForOp loop;
  scf::IfOp guard;
  Location loc;
  OpBuilder &builder;
};
} // namespace

Value Skipper::taken(OpBuilder &b, Value at) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), at);
  for (Operation &op : loop.getBody()->without_terminator())
    if (guarded.condition.contains(&op))
      b.clone(op, mapping);
  return mapping.lookupOrDefault(guard.getCondition());
}

/// Several iterations at a time, so that their loads are on the way together.
Value Skipper::countTaken() {
  constexpr int64_t kAtATime = 8;
  Type type = loop.getInductionVar().getType();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  Value none = number(0);
  Value stride = arith::MulIOp::create(builder, loc, loop.getStep(), number(kAtATime));
  auto count = scf::ForOp::create(
      builder, loc, loop.getLowerBound(), loop.getUpperBound(), stride, none,
      [&](OpBuilder &b, Location, Value at, ValueRange sums) {
        Value sum = sums[0];
        for (int64_t i = 0; i < kAtATime; ++i) {
          Value counts = taken(b, at);
          if (i > 0) {
            Value inside =
                arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at, loop.getUpperBound());
            counts = arith::AndIOp::create(b, loc, inside, counts);
          }
          sum = arith::AddIOp::create(b, loc, sum, arith::ExtUIOp::create(b, loc, type, counts));
          at = arith::AddIOp::create(b, loc, at, loop.getStep());
        }
        scf::YieldOp::create(b, loc, sum);
      });
  return count.getResult(0);
}

Value Skipper::search(OpBuilder &b, Value at) {
  auto found = scf::WhileOp::create(
      b, loc, at.getType(), at,
      [&](OpBuilder &inner, Location, ValueRange values) {
        Value inside = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, values[0],
                                             loop.getUpperBound());
        Value no = arith::ConstantOp::create(inner, loc, inner.getBoolAttr(true));
        Value skipped = arith::XOrIOp::create(inner, loc, taken(inner, values[0]), no);
        Value goesOn = arith::AndIOp::create(inner, loc, inside, skipped);
        scf::ConditionOp::create(inner, loc, goesOn, values);
      },
      [&](OpBuilder &inner, Location, ValueRange values) {
        Value next = arith::AddIOp::create(inner, loc, values[0], loop.getStep());
        scf::YieldOp::create(inner, loc, next);
      });
  return found.getResult(0);
}

/// `carried`: what the old loop carried, then the iteration that is taken.
void Skipper::body(OpBuilder &b, ValueRange carried) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), carried.back());
  mapping.map(loop.getRegionIterArgs(), carried.drop_back());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op != guard) {
      b.clone(op, mapping);
      continue;
    }
    for (Operation &inner : guard.thenBlock()->without_terminator())
      b.clone(inner, mapping);
    if (guard.getNumResults() == 0)
      continue;
    for (auto [result, value] : llvm::zip(guard.getResults(), guard.thenYield().getOperands()))
      mapping.map(result, mapping.lookupOrDefault(value));
  }
  SmallVector<Value> next;
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(value));
  Value after = arith::AddIOp::create(b, loc, carried.back(), loop.getStep());
  next.push_back(search(b, after));
  scf::YieldOp::create(b, loc, next);
}

void Skipper::run() {
  builder.setInsertionPoint(loop);
  Type type = loop.getInductionVar().getType();
  Value count = countTaken();
  SmallVector<Value> start(loop.getInitArgs());
  start.push_back(search(builder, loop.getLowerBound()));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 0));
  Value one = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 1));
  auto dense = scf::ForOp::create(
      builder, loop.getLoc(), zero, count, one, start,
      [&](OpBuilder &b, Location, Value, ValueRange carried) { body(b, carried); });
  dense->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  loop.replaceAllUsesWith(dense.getResults().drop_back());
  loop.erase();
}

/// True if nobody sees whether `op` ran in an iteration that is not taken.
static bool isUnseen(Operation *op) {
  if (isa<tile::AllocSharedOp, tile::LoadScalarOp, tile::LoadOp>(op))
    return true;
  if (auto copy = dyn_cast<tile::CopyOp>(op)) {
    auto tile = copy.getTarget().getDefiningOp<tile::AllocSharedOp>();
    return tile && tile->getBlock() == op->getBlock();
  }
  return isMemoryEffectFree(op);
}

/// Values that the loop carries stay the same where the guard is not taken.
static bool keepsWhatIsCarried(scf::ForOp loop, scf::IfOp guard) {
  for (auto [argument, next] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (next == argument)
      continue;
    auto result = dyn_cast<OpResult>(next);
    if (!result || result.getOwner() != guard ||
        guard.elseYield().getOperand(result.getResultNumber()) != argument)
      return false;
  }
  return true;
}

/// The condition's operations in the loop's body, if both roles can compute them for any iteration.
static bool collectCondition(GuardedLoop &guarded) {
  scf::ForOp loop = guarded.loop;
  SmallVector<Value> open{guarded.guard.getCondition()};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (llvm::is_contained(loop.getRegionIterArgs(), value))
      return false;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody())
      continue;
    if (!isAddressWork(op))
      return false;
    if (guarded.condition.insert(op))
      llvm::append_range(open, usedFromOutside(op));
  }
  return true;
}

static std::optional<GuardedLoop> findGuard(scf::ForOp loop) {
  GuardedLoop guarded{loop, {}, {}};
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    bool copies = branch && llvm::any_of(branch.thenBlock()->getOperations(),
                                         [](Operation &inner) { return isa<tile::CopyOp>(inner); });
    if (copies && !guarded.guard)
      guarded.guard = branch;
    else if (!isUnseen(&op))
      return std::nullopt;
  }
  scf::IfOp guard = guarded.guard;
  if (!guard || (guard.elseBlock() && !guard.elseBlock()->without_terminator().empty()) ||
      !keepsWhatIsCarried(loop, guard) || !collectCondition(guarded))
    return std::nullopt;
  return guarded;
}

namespace {
struct SkipIterations : tilec::impl::SkipIterationsPassBase<SkipIterations> {
  void runOnOperation() override {
    SmallVector<GuardedLoop> found;
    for (auto loop : getOperation().getBody().front().getOps<scf::ForOp>())
      if (loop->hasAttr(tile::TileDialect::pipelineAttrName))
        if (std::optional<GuardedLoop> guarded = findGuard(loop))
          found.push_back(*guarded);
    if (found.empty())
      return markAllAnalysesPreserved();
    OpBuilder builder(&getContext());
    for (const GuardedLoop &guarded : found)
      Skipper(guarded, builder).run();
    numSkipping += found.size();
    // What stood under the condition was not simplified with the loop.
    OpPassManager manager(getOperation()->getName());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    manager.addPass(createLoopInvariantCodeMotionPass());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace

//===- RotateLate.cpp - late products under the next iteration's work ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "Rotate.h"
#include "Stages.h"

using namespace mlir;
using namespace tilec;

namespace {
/// Writes the rotated form of one loop.
class Rotator {
public:
  Rotator(const LoopParts &parts, OpBuilder &builder)
      : parts(parts), loop(parts.loop), loc(loop.getLoc()), builder(builder),
        boundary(parts.boundary()) {}
  SmallVector<Value> someTrips();

private:
  IRMapping prologue();
  scf::ForOp steadyState(const IRMapping &first);
  void steadyBody(Value iv, ValueRange carried);
  SmallVector<Value> epilogue(ValueRange carried);

  Value firstStatistic();
  OpList workBeforeWait(IRMapping &mapping);
  void clone(const OpList &ops, IRMapping &mapping) { cloneAll(builder, ops, mapping); }
  Flying issue(const OpList &ops, IRMapping &mapping) { return issueProducts(builder, ops, mapping); }
  void wait(const Flying &flying, IRMapping &mapping, int64_t younger) {
    awaitProducts(builder, flying, mapping, younger);
  }
  /// The next values of what the loop carries: early carried values, then the boundary.
  SmallVector<Value> next(const IRMapping &mapping);
  /// Maps what is carried in: early values to this iteration, the boundary to the one before.
  void mapCarried(ValueRange carried, IRMapping &current, IRMapping &previous);
  Value yielded(unsigned index) {
    return cast<scf::YieldOp>(loop.getBody()->getTerminator()).getOperand(index);
  }

  const LoopParts &parts;
  scf::ForOp loop;
  Location loc;
  OpBuilder &builder;
  llvm::SetVector<Value> boundary;
};
} // namespace

/// The first small row statistic that the early part yields (the maximum), or null. Late products are
/// awaited right behind it: by then they are done, and what rescales the accumulator fills the gaps
/// between the slow exponentials.
Value Rotator::firstStatistic() {
  llvm::SmallPtrSet<Operation *, 16> rest(parts.rest.begin(), parts.rest.end());
  Value first;
  for (Value value : loop.getBody()->getTerminator()->getOperands()) {
    if (!isRowStatistic(value) || !rest.contains(value.getDefiningOp()))
      continue;
    if (!first || value.getDefiningOp()->isBeforeInBlock(first.getDefiningOp()))
      first = value;
  }
  return first;
}

/// Early elementwise work up to the first statistic; all of it where there is none. Returns what is left.
OpList Rotator::workBeforeWait(IRMapping &mapping) {
  Value statistic = firstStatistic();
  if (!statistic) {
    clone(parts.rest, mapping);
    return {};
  }
  const auto *split = llvm::find(parts.rest, statistic.getDefiningOp()) + 1;
  clone(OpList(parts.rest.begin(), split), mapping);
  // With nothing to rescale behind it, a wait that ptxas moves up does no harm.
  if (!parts.wideLate)
    pipe::OrderOp::create(builder, loc, mapping.lookupOrDefault(statistic));
  return OpList(split, parts.rest.end());
}

SmallVector<Value> Rotator::next(const IRMapping &mapping) {
  SmallVector<Value> values;
  for (auto [index, isLate] : llvm::enumerate(parts.lateCarried))
    if (!isLate)
      values.push_back(mapping.lookupOrDefault(yielded(index)));
  for (Value value : boundary)
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

void Rotator::mapCarried(ValueRange carried, IRMapping &current, IRMapping &previous) {
  unsigned position = 0;
  for (auto [index, isLate] : llvm::enumerate(parts.lateCarried))
    if (!isLate)
      current.map(loop.getRegionIterArgs()[index], carried[position++]);
  for (Value original : boundary)
    previous.map(original, carried[position++]);
}

/// The early part of the first iteration.
IRMapping Rotator::prologue() {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
  Flying early = issue(parts.issue, mapping);
  clone(parts.addresses, mapping);
  wait(early, mapping, 0);
  clone(parts.earlyReleases, mapping);
  clone(parts.rest, mapping);
  clone(parts.casts, mapping);
  clone(parts.prepare, mapping);
  clone(parts.ends, mapping);
  return mapping;
}

void Rotator::steadyBody(Value iv, ValueRange carried) {
  IRMapping current, previous;
  current.map(loop.getInductionVar(), iv);
  mapCarried(carried, current, previous);
  Flying early = issue(parts.issue, current);
  Flying late = issue(parts.late, previous);
  clone(parts.addresses, current);
  wait(early, current, llvm::count_if(parts.late, [](Operation *op) { return isa<tile::GemmOp>(op); }));
  clone(parts.earlyReleases, current);
  OpList behind = workBeforeWait(current);
  wait(late, previous, 0);
  clone(parts.lateReleases, previous);
  clone(parts.after, previous);
  for (auto [index, isLate] : llvm::enumerate(parts.lateCarried))
    if (isLate)
      current.map(loop.getRegionIterArgs()[index], previous.lookupOrDefault(yielded(index)));
  clone(behind, current);
  clone(parts.casts, current);
  clone(parts.prepare, current);
  clone(parts.ends, current);
  scf::YieldOp::create(builder, loc, next(current));
}

/// From the first product of an iteration to the last one a warpgroup has the turn.
static void issueInTurns(scf::ForOp steady) {
  auto products = llvm::to_vector(steady.getOps<pipe::MmaOp>());
  OpBuilder builder(products.front());
  pipe::TurnWaitOp::create(builder, products.front().getLoc());
  builder.setInsertionPointAfter(products.back());
  pipe::TurnPassOp::create(builder, products.back().getLoc());
}

scf::ForOp Rotator::steadyState(const IRMapping &first) {
  Value second = arith::AddIOp::create(builder, loc, loop.getLowerBound(), loop.getStep());
  auto steady = scf::ForOp::create(builder, loc, second, loop.getUpperBound(), loop.getStep(),
                                   next(first));
  steady->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(steady.getBody());
  steadyBody(steady.getInductionVar(), steady.getRegionIterArgs());
  if (steady->removeAttr(turnsAttrName))
    issueInTurns(steady);
  return steady;
}

/// The late part of the last iteration, and what the loop yields.
SmallVector<Value> Rotator::epilogue(ValueRange carried) {
  IRMapping current, previous;
  mapCarried(carried, current, previous);
  Flying late = issue(parts.late, previous);
  wait(late, previous, 0);
  clone(parts.lateReleases, previous);
  clone(parts.after, previous);
  SmallVector<Value> results;
  for (auto [index, isLate] : llvm::enumerate(parts.lateCarried))
    results.push_back(isLate ? previous.lookupOrDefault(yielded(index))
                             : current.lookup(loop.getRegionIterArgs()[index]));
  return results;
}

SmallVector<Value> Rotator::someTrips() {
  IRMapping first = prologue();
  return epilogue(steadyState(first).getResults());
}

void tilec::rotateLate(const LoopParts &parts, OpBuilder &builder) {
  replaceUnderTest(parts.loop, builder, [&] { return Rotator(parts, builder).someTrips(); });
}

//===- Rotate.cpp - late products under the next iteration's work -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Rotate.h"

#include "Products.h"

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
  void clone(const OpList &ops, IRMapping &mapping) {
    for (Operation *op : ops)
      builder.clone(*op, mapping);
  }
  Flying issue(const OpList &ops, IRMapping &mapping) {
    return issueProducts(builder, ops, mapping);
  }
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

/// True for a value in f32 of at most four registers of a thread: a row statistic, not a tile.
static bool isRowStatistic(Value value) {
  constexpr int64_t kFewRegisters = 4;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32() &&
         cast<tile::FragAttr>(type.getEncoding()).getLayout().numRegs() <= kFewRegisters;
}

/// The first small row statistic that the early part yields (the maximum), or null. Late products
/// are awaited right behind it: by then they are done, and what rescales the accumulator, or half
/// of the slow exponentials, is left for behind them.
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

/// Early elementwise work up to the first statistic; all of it where there is none. Returns what is
/// left.
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
  OpList lateWork = parts.late;
  // A wide accumulator is scaled between the products: there a wait for a barrier, too, is in the
  // way (D = 256: -3 %).
  if (parts.wideLate) {
    auto isWait = [](Operation *op) { return isa<pipe::WaitOp>(op); };
    clone(llvm::filter_to_vector<8>(lateWork, isWait), previous);
    llvm::erase_if(lateWork, isWait);
  }
  Flying early = issue(parts.issue, current);
  Flying late = issue(lateWork, previous);
  clone(parts.addresses, current);
  wait(early, current,
       llvm::count_if(parts.late, [](Operation *op) { return isa<tile::GemmOp>(op); }));
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
  auto steady =
      scf::ForOp::create(builder, loc, second, loop.getUpperBound(), loop.getStep(), next(first));
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

void tilec::replaceUnderTest(scf::ForOp loop, OpBuilder &builder,
                             llvm::function_ref<SmallVector<Value>()> someTrips) {
  Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                     loop.getUpperBound());
  auto guarded = scf::IfOp::create(builder, loc, loop.getResultTypes(), some, /*withElse=*/true);
  builder.setInsertionPointToStart(guarded.thenBlock());
  SmallVector<Value> results = someTrips();
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToStart(guarded.elseBlock());
  scf::YieldOp::create(builder, loc, loop.getInitArgs());
  loop.replaceAllUsesWith(guarded.getResults());
  loop.erase();
}

void tilec::rotate(const LoopParts &parts, OpBuilder &builder) {
  replaceUnderTest(parts.loop, builder, [&] { return Rotator(parts, builder).someTrips(); });
}

//===- Expand.cpp - prologue, steady state, epilogue ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/Transforms/Passes.h"

#include "Chain.h"
#include "LoopParts.h"

#include "mlir/IR/IRMapping.h"

namespace tilec {
#define GEN_PASS_DEF_EXPANDPASS
#include "tilec/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

namespace {
/// Products that were issued and not waited for, oldest first: the original and its value in flight.
using Flying = SmallVector<std::pair<tile::GemmOp, Value>>;

/// Writes the rotated form of one loop.
class Rotator {
public:
  Rotator(const LoopParts &parts, OpBuilder &builder)
      : parts(parts), loop(parts.loop), loc(loop.getLoc()), builder(builder),
        boundary(parts.boundary()) {}
  void run();

private:
  SmallVector<Value> someTrips();
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
  Value accumulatorOf(tile::GemmOp gemm, Flying &flying, IRMapping &mapping);
  Flying issue(const OpList &ops, IRMapping &mapping);
  void wait(const Flying &flying, IRMapping &mapping, int64_t younger);
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

/// The accumulator of a product: of one in flight that goes on with it alone, the registers are not waited for.
Value Rotator::accumulatorOf(tile::GemmOp gemm, Flying &flying, IRMapping &mapping) {
  Value acc = gemm.getAcc();
  auto *before = llvm::find_if(flying, [&](auto &entry) { return entry.first.getResult() == acc; });
  if (before == flying.end())
    return mapping.lookupOrDefault(acc);
  if (!acc.hasOneUse()) {
    wait(flying, mapping, 0);
    flying.clear();
    return mapping.lookup(acc);
  }
  Value inFlight = before->second;
  flying.erase(before);
  return inFlight;
}

Flying Rotator::issue(const OpList &ops, IRMapping &mapping) {
  Flying flying;
  for (Operation *op : ops) {
    auto gemm = dyn_cast<tile::GemmOp>(op);
    if (!gemm) {
      builder.clone(*op, mapping);
      continue;
    }
    auto type = pipe::InflightType::get(builder.getContext(), gemm.getType());
    Value value = pipe::MmaOp::create(
        builder, gemm.getLoc(), type, mapping.lookupOrDefault(gemm.getA()),
        mapping.lookupOrDefault(gemm.getB()), accumulatorOf(gemm, flying, mapping),
        gemm.getTransposeAAttr(), gemm.getTransposeBAttr());
    flying.emplace_back(gemm, value);
  }
  return flying;
}

/// `younger` products were issued after all of `flying`.
void Rotator::wait(const Flying &flying, IRMapping &mapping, int64_t younger) {
  int64_t pending = younger + flying.size();
  for (auto [gemm, value] : flying) {
    Value done = pipe::MmaWaitOp::create(builder, gemm.getLoc(), gemm.getType(), value,
                                         builder.getI64IntegerAttr(--pending));
    mapping.map(gemm.getResult(), done);
  }
}

/// The first small row statistic that the early part yields (the maximum), or null. Late products are
/// awaited right behind it: by then they are done, and what rescales the accumulator fills the gaps
/// between the slow exponentials.
Value Rotator::firstStatistic() {
  constexpr int64_t kFewRegisters = 4;
  llvm::SmallPtrSet<Operation *, 16> rest(parts.rest.begin(), parts.rest.end());
  Value first;
  for (Value value : loop.getBody()->getTerminator()->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.getElementType().isF32() || !rest.contains(value.getDefiningOp()) ||
        cast<tile::FragAttr>(type.getEncoding()).getLayout().numRegs() > kFewRegisters)
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

void Rotator::run() {
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

namespace {
class Expand : public tilec::impl::ExpandPassBase<Expand> {
public:
  void runOnOperation() override {
    SmallVector<scf::ForOp> late;
    SmallVector<ChainedLoop> chained;
    getOperation().walk([&](pipe::SpecializeOp roles) {
      roles.getConsumer().walk([&](scf::ForOp loop) {
        if (llvm::any_of(loop.getOps<tile::GemmOp>(),
                         [](tile::GemmOp gemm) { return gemm->hasAttr(lateAttrName); }))
          late.push_back(loop);
        else if (std::optional<ChainedLoop> chain = findChain(loop))
          chained.push_back(*chain);
      });
    });
    OpBuilder builder(&getContext());
    for (const ChainedLoop &chain : chained)
      keepInFlight(chain, builder);
    numChained += chained.size();
    for (scf::ForOp loop : late) {
      std::string why;
      FailureOr<LoopParts> parts = takeApart(loop, why);
      if (failed(parts)) {
        emitError(loop.getLoc()) << "cannot rotate this loop: " << why;
        return signalPassFailure();
      }
      Rotator(*parts, builder).run();
      ++numRotated;
    }
  }
};
} // namespace

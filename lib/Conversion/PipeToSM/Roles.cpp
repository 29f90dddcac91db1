//===- Roles.cpp - the split into a producer and consumers --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "tilec/Conversion/PipeToSM.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

/// Hardware barriers: 0 is the CTA's, then the consumers' own, then one per warpgroup's turn.
static constexpr int64_t kRoleBarrier = 1, kFirstTurn = 2;
/// Those that wait for a turn and those that pass it on.
static constexpr int64_t kTurnThreads = 2 * 32 * kGroupWarps;

/// A turn is a hardware barrier that the previous warpgroup arrives at and the next one waits at.
static void createTurn(Emitter e, const KernelState &state, int64_t after, bool arrive) {
  int64_t groups = state.numWarps / kGroupWarps;
  Value group = e.div(state.warp, kGroupWarps);
  if (after != 0) {
    Value next = e.add(group, after);
    group = e.select(e.compare(arith::CmpIPredicate::eq, next, e.i32(groups)), e.i32(0), next);
  }
  auto arriveOnly = arrive ? e.builder.getUnitAttr() : UnitAttr();
  sm::NamedBarrierOp::create(e.builder, e.loc, e.add(group, kFirstTurn), e.i32(kTurnThreads),
                             arriveOnly);
}

namespace {
class SpecializeLowering : public TilePattern<pipe::SpecializeOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::SpecializeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override;

private:
  void initialize(Emitter e) const;
  Block *createProducer(Emitter e) const;
  void startConsumer(Emitter e) const;
  void setRegisters(Emitter e, bool producer) const;
};
} // namespace

/// One thread makes all barriers and fetches the tensor maps; afterwards everybody sees them.
void SpecializeLowering::initialize(Emitter e) const {
  Value first = e.compare(arith::CmpIPredicate::eq, state.thread, e.i32(0));
  scf::IfOp::create(e.builder, e.loc, first, [&](OpBuilder &builder, Location loc) {
    Emitter inner(builder, loc);
    for (const auto &[op, channel] : state.pipe.channels)
      for (int64_t i = 0; i < 2 * channel.stages; ++i) {
        int64_t arrivals =
            i < channel.stages ? fillArrivals(channel) : releaseArrivals(channel, state);
        Value barrier = inner.add(state.sharedBase, channel.barriers + kBarrierBytes * i);
        sm::BarrierInitOp::create(builder, loc, barrier, inner.i32(arrivals));
      }
    sm::FenceBarrierInitOp::create(builder, loc);
    for (Value map : state.tensorMaps)
      sm::TmaPrefetchOp::create(builder, loc, map);
    scf::YieldOp::create(builder, loc);
  });
  sm::BarrierOp::create(e.builder, e.loc);
}

/// All warps of a warpgroup say it together.
void SpecializeLowering::setRegisters(Emitter e, bool producer) const {
  if (state.numWarps % kGroupWarps != 0 || state.producerWarps != kGroupWarps)
    return;
  ProducerWork work{state.pipe.hasItems, state.pipe.threadsCopy, state.pipe.producerLoops};
  RoleRegisters registers = roleRegisters(state.numWarps / kGroupWarps, state.ctasPerSM, work);
  if (!registers.redistributes())
    return;
  int64_t count = producer ? registers.producer : registers.consumer;
  sm::SetRegistersOp::create(e.builder, e.loc, e.builder.getI64IntegerAttr(count),
                             producer ? UnitAttr() : e.builder.getUnitAttr());
}

/// One elected thread of the producer's first warp, or all that copy; returns their block.
Block *SpecializeLowering::createProducer(Emitter e) const {
  setRegisters(e, /*producer=*/true);
  if (state.pipe.threadsCopy) { // no thread leaves while its copies are in flight
    Block *block = e.builder.getInsertionBlock();
    OpBuilder::InsertionGuard guard(e.builder);
    e.builder.setInsertionPoint(block->getTerminator());
    auto commit = sm::CpAsyncCommitOp::create(e.builder, e.loc);
    sm::CpAsyncWaitOp::create(e.builder, e.loc, 0);
    return commit->getBlock();
  }
  Value first = e.compare(arith::CmpIPredicate::eq, state.ctaWarp, e.i32(state.numWarps));
  auto warp = scf::IfOp::create(e.builder, e.loc, TypeRange(), first, /*withElseRegion=*/false);
  e.builder.setInsertionPointToStart(warp.thenBlock());
  Value elected = sm::ElectOp::create(e.builder, e.loc, e.builder.getI1Type());
  return scf::IfOp::create(e.builder, e.loc, TypeRange(), elected, /*withElseRegion=*/false)
      .thenBlock();
}

/// In front of it the producer's code is put.
static Operation *endOfWork(Block *producer) {
  for (auto wait : producer->getOps<sm::CpAsyncCommitOp>())
    return wait;
  return producer->getTerminator();
}

/// The first warpgroup starts with the turn: it arrives at its own barrier for the one before it.
void SpecializeLowering::startConsumer(Emitter e) const {
  setRegisters(e, /*producer=*/false);
  if (!state.pipe.hasTurns || state.numWarps <= kGroupWarps)
    return;
  Value first = e.compare(arith::CmpIPredicate::ult, state.warp, e.i32(kGroupWarps));
  scf::IfOp::create(e.builder, e.loc, first, [&](OpBuilder &builder, Location loc) {
    createTurn(Emitter(builder, loc), state, /*after=*/0, /*arrive=*/true);
    scf::YieldOp::create(builder, loc);
  });
}

LogicalResult SpecializeLowering::matchAndRewrite(pipe::SpecializeOp op, OpAdaptor,
                                                  ConversionPatternRewriter &rewriter) const {
  Emitter e(rewriter, op.getLoc());
  initialize(e);
  Value isProducer = e.compare(arith::CmpIPredicate::uge, state.ctaWarp, e.i32(state.numWarps));
  auto roles = scf::IfOp::create(rewriter, op.getLoc(), TypeRange(), isProducer,
                                 /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(roles.thenBlock());
  Block *producer = createProducer(e);
  rewriter.inlineBlockBefore(&op.getProducer().front(), endOfWork(producer));
  rewriter.setInsertionPointToStart(roles.elseBlock());
  startConsumer(e);
  rewriter.inlineBlockBefore(&op.getConsumer().front(), roles.elseBlock()->getTerminator());
  rewriter.eraseOp(op);
  return success();
}

namespace {
class RoleBarrierLowering : public TilePattern<pipe::RoleBarrierOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::RoleBarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<sm::NamedBarrierOp>(op, e.i32(kRoleBarrier),
                                                    e.i32(state.numThreads()), UnitAttr());
    return success();
  }
};

/// A single warpgroup always has the turn.
template <typename Op, int64_t after> class TurnLowering : public TilePattern<Op> {
public:
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (this->state.numWarps > kGroupWarps)
      createTurn(Emitter(rewriter, op.getLoc()), this->state, after, /*arrive=*/after != 0);
    rewriter.eraseOp(op);
    return success();
  }
};

class DrawItemLowering : public TilePattern<pipe::DrawItemOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::DrawItemOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<sm::DrawItemOp>(op, rewriter.getI64Type());
    return success();
  }
};

class GoToItemLowering : public TilePattern<pipe::GoToItemOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::GoToItemOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<sm::GoToItemOp>(op, adaptor.getItem());
    return success();
  }
};
} // namespace

void tilec::to_sm::populateRolePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  patterns.add<SpecializeLowering, RoleBarrierLowering, DrawItemLowering, GoToItemLowering,
               TurnLowering<pipe::TurnWaitOp, 0>, TurnLowering<pipe::TurnPassOp, 1>>(
      types, patterns.getContext(), state);
}

//===- Channel.cpp - rings of slots become addresses and mbarriers -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A channel's barriers lie one after the other: for each stage the one that completes when the slot
// is full, then for each stage the one that completes when it is empty. A cursor is the stage and
// the parity of its round, 0 in the first round.
//===----------------------------------------------------------------------===//
#include "Patterns.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec::to_sm;

Value tilec::to_sm::slotAddress(Emitter e, const Channel &channel, const Cursor &cursor) {
  return e.add(channel.slots, e.mul(cursor.stage, channel.slotBytes));
}
Value tilec::to_sm::fullBarrier(Emitter e, const Channel &channel, const Cursor &cursor) {
  return e.add(channel.barriers, e.mul(cursor.stage, kBarrierBytes));
}
Value tilec::to_sm::emptyBarrier(Emitter e, const Channel &channel, const Cursor &cursor) {
  return e.add(fullBarrier(e, channel, cursor), kBarrierBytes * channel.stages);
}

int64_t tilec::to_sm::releaseArrivals(const ChannelPlace &channel, const KernelState &state) {
  return channel.byWarps ? state.numWarps : state.numWarps / kGroupWarps;
}

namespace {
class ChannelLowering : public TilePattern<pipe::ChannelOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::ChannelOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const ChannelPlace &place = state.pipe.channels.find(op)->second;
    Value slots = e.add(state.sharedBase, place.slots);
    Value barriers = e.add(state.sharedBase, place.barriers);
    rewriter.replaceOpWithMultiple(op, {ValueRange{slots, barriers}});
    return success();
  }
};

class CursorLowering : public TilePattern<pipe::CursorOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::CursorOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value zero = Emitter(rewriter, op.getLoc()).i32(0);
    rewriter.replaceOpWithMultiple(op, {ValueRange{zero, zero}});
    return success();
  }
};

class HandOverLowering : public TilePattern<pipe::HandOverOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::HandOverOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getCursor()});
    return success();
  }
};

class AdvanceLowering : public TilePattern<pipe::AdvanceOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::AdvanceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Cursor cursor(adaptor.getCursor());
    int64_t stages = op.getChannel().getType().getStages();
    Value nextRound = e.bitXor(cursor.parity, 1);
    if (stages == 1) {
      rewriter.replaceOpWithMultiple(op, {ValueRange{cursor.stage, nextRound}});
      return success();
    }
    Value stage = e.add(cursor.stage, 1);
    Value wraps = e.compare(arith::CmpIPredicate::eq, stage, e.i32(stages));
    rewriter.replaceOpWithMultiple(op, {ValueRange{e.select(wraps, e.i32(0), stage),
                                                   e.select(wraps, nextRound, cursor.parity)}});
    return success();
  }
};

/// The slot that an operation works on.
struct Slot {
  Emitter e;
  Channel channel;
  Cursor cursor;

  Value address() const { return slotAddress(e, channel, cursor); }
  Value full() const { return fullBarrier(e, channel, cursor); }
  Value empty() const { return emptyBarrier(e, channel, cursor); }
};

/// Lowers an operation on a slot; `lower` gives what replaces its result, if it has one.
template <class Op> class SlotLowering : public TilePattern<Op> {
public:
  using Lower = Value (*)(Op op, const Slot &slot, const KernelState &state);
  using OneToNOpAdaptor = typename TilePattern<Op>::OneToNOpAdaptor;

  SlotLowering(const TypeConverter &types, MLIRContext *context, KernelState &state, Lower lower)
      : TilePattern<Op>(types, context, state), lower(lower) {}
  LogicalResult matchAndRewrite(Op op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Slot slot{Emitter(rewriter, op.getLoc()),
              Channel(op.getChannel().getType(), adaptor.getChannel()),
              Cursor(adaptor.getCursor())};
    if (Value result = lower(op, slot, this->state))
      rewriter.replaceOp(op, result);
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  Lower lower;
};
} // namespace

void tilec::to_sm::emitOnce(Emitter e, const KernelState &state, function_ref<void(Emitter)> body) {
  if (!state.pipe.threadsCopy)
    return body(e);
  Value first = e.compare(arith::CmpIPredicate::eq, state.thread, e.i32(state.numThreads()));
  scf::IfOp::create(e.builder, e.loc, first, [&](OpBuilder &builder, Location loc) {
    body(Emitter(builder, loc));
    scf::YieldOp::create(builder, loc);
  });
}

static const ChannelPlace &placeOf(Value channel, const KernelState &state) {
  return state.pipe.channels.find(channel.getDefiningOp())->second;
}

/// A new barrier counts as having completed the round before its first: the first acquires pass.
/// Threads that copy announce nothing. For TMA only the thread that issues waits: one without a
/// part in filling the slot could be so late that the barrier is two phases further.
static Value acquire(pipe::AcquireOp op, const Slot &slot, const KernelState &state) {
  const Emitter &e = slot.e;
  Value full = slot.full(), empty = slot.empty(), parity = e.bitXor(slot.cursor.parity, 1);
  if (placeOf(op.getChannel(), state).copiers != 0) {
    sm::BarrierTryWaitOp::create(e.builder, e.loc, empty, parity);
    return {};
  }
  bool posted = placeOf(op.getChannel(), state).posted;
  emitOnce(e, state, [&](Emitter once) {
    sm::BarrierTryWaitOp::create(once.builder, once.loc, empty, parity);
    if (posted)
      return;
    sm::BarrierArriveExpectTxOp::create(once.builder, once.loc, full, once.i32(op.getBytes()));
  });
  return {};
}

/// With TMA the arrival was made with the announcement of the bytes, which complete the barrier.
/// Each thread that copies arrives when its copies have landed.
static Value commit(pipe::CommitOp op, const Slot &slot, const KernelState &state) {
  if (placeOf(op.getChannel(), state).copiers != 0)
    sm::CpAsyncArriveOp::create(slot.e.builder, slot.e.loc, slot.full());
  else if (placeOf(op.getChannel(), state).posted)
    sm::BarrierArriveOp::create(slot.e.builder, slot.e.loc, slot.full(), Value());
  return {};
}

/// The arrival of the commit releases the number to those who wait.
static Value post(pipe::PostOp op, const Slot &slot, const KernelState &) {
  sm::StoreSharedOp::create(slot.e.builder, slot.e.loc, op.getValue(), slot.address());
  return {};
}

static Value wait(pipe::WaitOp, const Slot &slot, const KernelState &) {
  sm::BarrierTryWaitOp::create(slot.e.builder, slot.e.loc, slot.full(), slot.cursor.parity);
  return slot.address();
}

/// wgmma reads for a whole warpgroup, so one thread speaks for it once it has waited; loads are
/// finished in all lanes of a warp when they have met.
static Value release(pipe::ReleaseOp op, const Slot &slot, const KernelState &state) {
  const Emitter &e = slot.e;
  bool byWarps = placeOf(op.getChannel(), state).byWarps;
  if (byWarps)
    sm::WarpBarrierOp::create(e.builder, e.loc);
  Value index = byWarps ? state.lane : e.rem(state.thread, 32 * kGroupWarps);
  Value speaks = e.compare(arith::CmpIPredicate::eq, index, e.i32(0));
  sm::BarrierArriveOp::create(e.builder, e.loc, slot.empty(), speaks);
  return {};
}

void tilec::to_sm::populateChannelPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                           KernelState &state) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ChannelLowering, CursorLowering, HandOverLowering, AdvanceLowering>(types, context,
                                                                                   state);
  patterns.add<SlotLowering<pipe::AcquireOp>>(types, context, state, acquire);
  patterns.add<SlotLowering<pipe::CommitOp>>(types, context, state, commit);
  patterns.add<SlotLowering<pipe::PostOp>>(types, context, state, post);
  patterns.add<SlotLowering<pipe::WaitOp>>(types, context, state, wait);
  patterns.add<SlotLowering<pipe::ReleaseOp>>(types, context, state, release);
}

//===- Channel.cpp - rings of slots become addresses and mbarriers -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A channel's barriers lie one after the other: for each stage the one that completes when the slot
// is full, then for each stage the one that completes when it is empty. A cursor is the stage and
// the parity of its round, 0 in the first round.
//===----------------------------------------------------------------------===//
#include "Patterns.h"

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

/// A new barrier counts as having completed the round before its first: the first acquires pass.
class AcquireLowering : public TilePattern<pipe::AcquireOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::AcquireOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Channel channel(op.getChannel().getType(), adaptor.getChannel());
    Cursor cursor(adaptor.getCursor());
    sm::BarrierTryWaitOp::create(rewriter, op.getLoc(), emptyBarrier(e, channel, cursor),
                                 e.bitXor(cursor.parity, 1));
    sm::BarrierArriveExpectTxOp::create(rewriter, op.getLoc(), fullBarrier(e, channel, cursor),
                                        e.i32(op.getBytes()));
    rewriter.eraseOp(op);
    return success();
  }
};

/// The arrival was made with the announcement of the bytes, which complete the barrier.
class CommitLowering : public TilePattern<pipe::CommitOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::CommitOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

class WaitLowering : public TilePattern<pipe::WaitOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::WaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Channel channel(op.getChannel().getType(), adaptor.getChannel());
    Cursor cursor(adaptor.getCursor());
    sm::BarrierTryWaitOp::create(rewriter, op.getLoc(), fullBarrier(e, channel, cursor),
                                 cursor.parity);
    rewriter.replaceOp(op, slotAddress(e, channel, cursor));
    return success();
  }
};

/// wgmma reads for a whole warpgroup, so one thread speaks for it once it has waited; loads are
/// finished in all lanes of a warp when they have met.
class ReleaseLowering : public TilePattern<pipe::ReleaseOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::ReleaseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Channel channel(op.getChannel().getType(), adaptor.getChannel());
    bool byWarps = state.pipe.channels.find(op.getChannel().getDefiningOp())->second.byWarps;
    if (byWarps)
      sm::WarpBarrierOp::create(rewriter, op.getLoc());
    Value index = byWarps ? state.lane : e.rem(state.thread, 32 * kGroupWarps);
    Value speaks = e.compare(arith::CmpIPredicate::eq, index, e.i32(0));
    sm::BarrierArriveOp::create(rewriter, op.getLoc(),
                                emptyBarrier(e, channel, Cursor(adaptor.getCursor())), speaks);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void tilec::to_sm::populateChannelPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                           KernelState &state) {
  patterns.add<ChannelLowering, CursorLowering, AdvanceLowering, AcquireLowering, CommitLowering,
               WaitLowering, ReleaseLowering>(types, patterns.getContext(), state);
}

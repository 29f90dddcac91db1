//===- Barrier.cpp - barriers and fences to NVVM --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

using namespace mlir;
using namespace tilec;

namespace {

/// How long one try may suspend the thread, in nanoseconds; the wait loops anyway.
constexpr int64_t suspendHint = 10'000'000;

struct BarrierLowering : ConvertOpToLLVMPattern<sm::BarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::BarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::BarrierOp>(op);
    return success();
  }
};

struct NamedBarrierLowering : ConvertOpToLLVMPattern<sm::NamedBarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::NamedBarrierOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    if (op.getArrive())
      b.replaceOpWithNewOp<NVVM::BarrierArriveOp>(op, in.getId(), in.getThreads());
    else
      b.replaceOpWithNewOp<NVVM::BarrierOp>(op, TypeRange(), in.getId(), in.getThreads(),
                                            NVVM::BarrierReductionAttr(), Value());
    return success();
  }
};

struct WarpBarrierLowering : ConvertOpToLLVMPattern<sm::WarpBarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::WarpBarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    constexpr int64_t allLanes = -1;
    b.replaceOpWithNewOp<NVVM::SyncWarpOp>(op, constantI32(b, op.getLoc(), allLanes));
    return success();
  }
};

struct FenceProxyLowering : ConvertOpToLLVMPattern<sm::FenceProxyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::FenceProxyOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    MLIRContext *context = op.getContext();
    b.replaceOpWithNewOp<NVVM::FenceProxyOp>(
        op, NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
    return success();
  }
};

struct BarrierInitLowering : ConvertOpToLLVMPattern<sm::BarrierInitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::BarrierInitOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::MBarrierInitOp>(op, pointerTo(b, op.getLoc(), in.getAddress()),
                                               in.getCount(), Value());
    return success();
  }
};

struct FenceBarrierInitLowering : ConvertOpToLLVMPattern<sm::FenceBarrierInitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::FenceBarrierInitOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::FenceMbarrierInitOp>(op);
    return success();
  }
};

struct BarrierArriveLowering : ConvertOpToLLVMPattern<sm::BarrierArriveOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::BarrierArriveOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    if (!in.getPredicate()) {
      inlineAsm(b, loc, "mbarrier.arrive.shared::cta.b64 _, [$0];", "r", in.getAddress(), {});
    } else {
      Value flag = LLVM::ZExtOp::create(b, loc, b.getI32Type(), in.getPredicate());
      inlineAsm(b, loc,
                "{ .reg .pred p; setp.ne.b32 p, $1, 0; "
                "@p mbarrier.arrive.shared::cta.b64 _, [$0]; }",
                "r,r", {in.getAddress(), flag}, {});
    }
    b.eraseOp(op);
    return success();
  }
};

struct BarrierArriveExpectTxLowering : ConvertOpToLLVMPattern<sm::BarrierArriveExpectTxOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::BarrierArriveExpectTxOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::MBarrierArriveExpectTxOp>(
        op, TypeRange(), pointerTo(b, op.getLoc(), in.getAddress()), in.getBytes(),
        NVVM::MemScopeKind::CTA, /*relaxed=*/false, Value());
    return success();
  }
};

struct BarrierTryWaitLowering : ConvertOpToLLVMPattern<sm::BarrierTryWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::BarrierTryWaitOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    b.replaceOpWithNewOp<NVVM::MBarrierTryWaitParityOp>(
        op, pointerTo(b, loc, in.getAddress()), in.getParity(), constantI32(b, loc, suspendHint));
    return success();
  }
};

} // namespace

void tilec::populateBarrierPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<BarrierLowering, NamedBarrierLowering, WarpBarrierLowering, FenceProxyLowering,
               BarrierInitLowering, FenceBarrierInitLowering, BarrierArriveLowering,
               BarrierArriveExpectTxLowering, BarrierTryWaitLowering>(converter);
}

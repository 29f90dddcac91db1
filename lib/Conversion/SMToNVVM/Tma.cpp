//===- Tma.cpp - tiled and bulk copies to NVVM ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

using namespace mlir;
using namespace tilec;

namespace {

struct TmaLoadLowering : ConvertOpToLLVMPattern<sm::TmaLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::TmaLoadOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    b.replaceOpWithNewOp<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(
        op, pointerTo(b, loc, in.getTarget()), in.getMap(), in.getCoordinates(),
        pointerTo(b, loc, in.getBarrier()), ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
        /*isCTAOnly=*/true, NVVM::CTAGroupKindAttr(), Value());
    return success();
  }
};

struct TmaStoreLowering : ConvertOpToLLVMPattern<sm::TmaStoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::TmaStoreOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(
        op, in.getMap(), pointerTo(b, op.getLoc(), in.getSource()), in.getCoordinates(), Value(),
        NVVM::TMAStoreMode::TILE, Value());
    return success();
  }
};

struct TmaPrefetchLowering : ConvertOpToLLVMPattern<sm::TmaPrefetchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::TmaPrefetchOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::PrefetchOp>(op, NVVM::PrefetchCacheLevelAttr(),
                                           NVVM::CacheEvictionPriorityAttr(), in.getMap(), Value(),
                                           /*tensormap=*/true);
    return success();
  }
};

struct BulkLoadLowering : ConvertOpToLLVMPattern<sm::BulkLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::BulkLoadOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    b.replaceOpWithNewOp<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(
        op, pointerTo(b, loc, in.getTarget()), pointerTo(b, loc, in.getSource()),
        pointerTo(b, loc, in.getBarrier()), in.getBytes(), Value(), Value());
    return success();
  }
};

struct TmaCommitLowering : ConvertOpToLLVMPattern<sm::TmaCommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::TmaCommitOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::CpAsyncBulkCommitGroupOp>(op);
    return success();
  }
};

struct TmaWaitLowering : ConvertOpToLLVMPattern<sm::TmaWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::TmaWaitOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::CpAsyncBulkWaitGroupOp>(op, uint32_t(op.getPending()),
                                                       op.getReadAttr());
    return success();
  }
};

} // namespace

void tilec::populateTmaPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<TmaLoadLowering, TmaStoreLowering, TmaPrefetchLowering, BulkLoadLowering,
               TmaCommitLowering, TmaWaitLowering>(converter);
}

//===- FuseElementwise.cpp - fewer passes over memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "host-fuse-elementwise"

using namespace mlir;

namespace {
struct HostFuseElementwisePass : PassWrapper<HostFuseElementwisePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostFuseElementwisePass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "merge elementwise linalg ops without repeating expensive math";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;
};

/// A splat constant that survived fusion starts a buffer: filling that buffer is cheaper than
/// copying a constant of the same size into it.
struct SplatToFill : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, PatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!splat)
      return rewriter.notifyMatchFailure(op, "not a splat");
    auto scalar =
        arith::ConstantOp::create(rewriter, op.getLoc(), splat.getSplatValue<TypedAttr>());
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), splat.getType().getShape(),
                                          scalar.getType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, ValueRange{scalar}, ValueRange{empty});
    return success();
  }
};
} // namespace

/// Work that pays for a buffer rather than be done again for every element of a further axis.
static bool isExpensive(Operation &op) {
  return isa<math::MathDialect>(op.getDialect()) ||
         isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::RemFOp>(op);
}

static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!producer || !consumer || !producer->hasOneUse())
    return false;
  if (producer.getNumLoops() == consumer.getNumLoops())
    return true;
  return llvm::none_of(*producer.getBlock(), isExpensive);
}

void HostFuseElementwisePass::runOnOperation() {
  RewritePatternSet fusion(&getContext());
  linalg::populateElementwiseOpsFusionPatterns(fusion, shouldFuse);
  linalg::GenericOp::getCanonicalizationPatterns(fusion, &getContext());
  if (failed(applyPatternsGreedily(getOperation(), std::move(fusion))))
    return signalPassFailure();
  // Constants go to the top of a function; a fill belongs where the buffer is first written.
  RewritePatternSet fills(&getContext());
  fills.add<SplatToFill>(&getContext());
  GreedyRewriteConfig config;
  config.enableFolding(false).enableConstantCSE(false);
  if (failed(applyPatternsGreedily(getOperation(), std::move(fills), config)))
    return signalPassFailure();
}

std::unique_ptr<Pass> tilec::createHostFuseElementwisePass() {
  return std::make_unique<HostFuseElementwisePass>();
}

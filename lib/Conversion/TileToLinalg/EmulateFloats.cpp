//===- EmulateFloats.cpp - small floats in f32, rounded every time --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Fp8.h"

#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "host-emulate-floats"

using namespace mlir;

namespace {
/// `arith-emulate-unsupported-floats` for bf16 and fp8, but its conversions keep no `contract`
/// flag: with the flag, an extension folds with the truncation before it, and a result is no longer
/// rounded to its type. f16 is not here: x86-64-v3 converts it in hardware.
struct HostEmulateFloatsPass : PassWrapper<HostEmulateFloatsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostEmulateFloatsPass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "bf16 and fp8 arithmetic in f32, rounded after every operation; fp8 conversions in "
           "integers";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;
  LogicalResult emulateArithmetic();
};
} // namespace

LogicalResult HostEmulateFloatsPass::emulateArithmetic() {
  MLIRContext *context = &getContext();
  SmallVector<Type> sources = {BFloat16Type::get(context), Float8E4M3FNType::get(context),
                               Float8E5M2Type::get(context)};
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(converter, sources, Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  return applyPartialConversion(getOperation(), target, std::move(patterns));
}

void HostEmulateFloatsPass::runOnOperation() {
  if (failed(emulateArithmetic()))
    return signalPassFailure();
  getOperation()->walk([](Operation *op) {
    if (auto round = dyn_cast<arith::TruncFOp>(op))
      round.removeFastmathAttr();
    else if (auto widen = dyn_cast<arith::ExtFOp>(op))
      widen.removeFastmathAttr();
  });
  RewritePatternSet patterns(&getContext());
  tilec::host::populateFp8Patterns(patterns);
  if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
    return signalPassFailure();
}

std::unique_ptr<Pass> tilec::createHostEmulateFloatsPass() {
  return std::make_unique<HostEmulateFloatsPass>();
}

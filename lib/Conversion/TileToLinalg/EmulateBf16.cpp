//===- EmulateBf16.cpp - bf16 arithmetic in f32, rounded every time -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

#define DEBUG_TYPE "host-emulate-bf16"

using namespace mlir;

namespace {
/// `arith-emulate-unsupported-floats`, but its conversions keep no `contract` flag: with the flag, an
/// extension folds with the truncation before it, and a result is no longer rounded to bf16.
struct HostEmulateBf16Pass : PassWrapper<HostEmulateBf16Pass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostEmulateBf16Pass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override { return "bf16 arithmetic in f32, rounded after every operation"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;
};
} // namespace

void HostEmulateBf16Pass::runOnOperation() {
  MLIRContext *context = &getContext();
  SmallVector<Type> sources = {BFloat16Type::get(context)};
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(converter, sources, Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
    return signalPassFailure();
  getOperation()->walk([](Operation *op) {
    if (auto round = dyn_cast<arith::TruncFOp>(op))
      round.setFastmath(arith::FastMathFlags::none);
    else if (auto widen = dyn_cast<arith::ExtFOp>(op))
      widen.setFastmath(arith::FastMathFlags::none);
  });
}

std::unique_ptr<Pass> tilec::createHostEmulateBf16Pass() { return std::make_unique<HostEmulateBf16Pass>(); }

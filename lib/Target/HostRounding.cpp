//===- HostRounding.cpp - a function that x86-64 code may call --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRounding.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

/// The upper half of a number, rounded to nearest even. A NaN keeps its upper half if that is one.
static constexpr const char *roundingSource = R"(
  llvm.func linkonce_odr hidden @__truncsfbf2(%number: f32) -> bf16 {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %width = llvm.mlir.constant(16 : i32) : i32
    %half = llvm.mlir.constant(32767 : i32) : i32
    %mantissa = llvm.mlir.constant(127 : i32) : i32
    %quiet = llvm.mlir.constant(64 : i32) : i32
    %bits = llvm.bitcast %number : f32 to i32
    %upper = llvm.lshr %bits, %width : i32
    %odd = llvm.and %upper, %one : i32
    %addend = llvm.add %odd, %half : i32
    %sum = llvm.add %bits, %addend : i32
    %rounded = llvm.lshr %sum, %width : i32
    %payload = llvm.and %upper, %mantissa : i32
    %lost = llvm.icmp "eq" %payload, %zero : i32
    %marked = llvm.or %upper, %quiet : i32
    %nan = llvm.select %lost, %marked, %upper : i1, i32
    %is_nan = llvm.fcmp "uno" %number, %number : f32
    %chosen = llvm.select %is_nan, %nan, %rounded : i1, i32
    %narrow = llvm.trunc %chosen : i32 to i16
    %result = llvm.bitcast %narrow : i16 to bf16
    llvm.return %result : bf16
  }
  llvm.mlir.global appending @llvm.compiler.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr> {
    %none = llvm.mlir.undef : !llvm.array<1 x ptr>
    %function = llvm.mlir.addressof @__truncsfbf2 : !llvm.ptr
    %list = llvm.insertvalue %function, %none[0] : !llvm.array<1 x ptr>
    llvm.return %list : !llvm.array<1 x ptr>
  }
)";

namespace {
struct HostRoundingPass : PassWrapper<HostRoundingPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostRoundingPass)

  StringRef getArgument() const override { return "host-rounding"; }
  StringRef getDescription() const override {
    return "the rounding to bf16 that machine code for the CPU may call";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }
  void runOnOperation() override;
};
} // namespace

static bool hasBF16(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    auto isBF16 = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
    return llvm::any_of(op->getResultTypes(), isBF16) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return result.wasInterrupted();
}

void HostRoundingPass::runOnOperation() {
  ModuleOp module = getOperation();
  if (!hasBF16(module))
    return;
  auto parsed = parseSourceString<ModuleOp>(roundingSource, &getContext());
  if (!parsed)
    return signalPassFailure();
  Block &added = *parsed->getBody();
  module.getBody()->getOperations().splice(module.getBody()->end(), added.getOperations());
}

std::unique_ptr<Pass> tilec::createHostRoundingPass() {
  return std::make_unique<HostRoundingPass>();
}

//===- SMToNVVM.cpp - the pass convert-sm-to-nvvm and what follows it -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/SMToNVVM.h"
#include "Patterns.h"
#include "tilec/Dialect/SM/IR/InstructionTable.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/DialectConversion.h"

#define DEBUG_TYPE "convert-sm-to-nvvm"

using namespace mlir;
using namespace tilec;

namespace {

/// The steps: kernels are checked against the architecture, thread indices move to their entry,
/// then one conversion rewrites `sm`, the functions, and the `arith` and `math` ops for which the
/// hardware has something better than upstream's lowering.
struct ConvertSMToNVVMPass : PassWrapper<ConvertSMToNVVMPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertSMToNVVMPass)

  explicit ConvertSMToNVVMPass(const Arch &arch) : arch(&arch) {}

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "turns sm ops into NVVM ops, intrinsics and asm, and kernels into llvm.func";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (failed(verifyKernel(kernel, *arch)) || failed(verifyInstructions(kernel)))
        return signalPassFailure();
      hoistIndices(kernel);
    }
    if (failed(convert()))
      signalPassFailure();
  }

private:
  /// Every `sm` op exists on the architecture, by the table.
  LogicalResult verifyInstructions(Operation *kernel);
  LogicalResult convert();

  const Arch *arch;
};

LogicalResult ConvertSMToNVVMPass::verifyInstructions(Operation *kernel) {
  WalkResult result = kernel->walk([&](Operation *op) -> WalkResult {
    if (!isa_and_present<sm::SMDialect>(op->getDialect()))
      return WalkResult::advance();
    const sm::Instruction *row = sm::findInstruction(op->getName().getStringRef());
    if (!row)
      return op->emitOpError("expected a row in the instruction table, found none");
    if (row->leastSM <= arch->sm && row->leastPTX <= arch->ptx &&
        (!row->archSpecific || arch->archSpecific))
      return WalkResult::advance();
    return op->emitOpError("expected sm_")
           << row->leastSM << (row->archSpecific ? "a" : "") << " and PTX " << row->leastPTX / 10
           << "." << row->leastPTX % 10 << " or later, found " << arch->name << " and PTX "
           << arch->ptx / 10 << "." << arch->ptx % 10;
  });
  return failure(result.wasInterrupted());
}

LogicalResult ConvertSMToNVVMPass::convert() {
  LLVMTypeConverter converter(&getContext());
  RewritePatternSet patterns(&getContext());
  populateKernelPatterns(converter, patterns);
  populateAtomicPatterns(converter, patterns);
  populateBarrierPatterns(converter, patterns);
  populateCopyPatterns(converter, patterns);
  populateDebugPatterns(converter, patterns);
  populateTmaPatterns(converter, patterns);
  populateWgmmaPatterns(converter, patterns);
  populateMatrixPatterns(converter, patterns);
  populateWarpPatterns(converter, patterns);
  populateMathPatterns(converter, patterns);

  ConversionTarget target(getContext());
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addIllegalDialect<sm::SMDialect, func::FuncDialect>();
  markIllegalMath(target);
  return applyPartialConversion(getOperation(), target, std::move(patterns));
}

} // namespace

std::unique_ptr<Pass> tilec::createConvertSMToNVVMPass(const Arch &arch) {
  return std::make_unique<ConvertSMToNVVMPass>(arch);
}

void tilec::addSMToLLVMPasses(OpPassManager &manager, const Arch &arch) {
  manager.addPass(createConvertSMToNVVMPass(arch));
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createConvertNVVMToLLVMPass()); // what NVVM itself writes as asm
  manager.addPass(createCheckSelectablePass());
}

void tilec::registerSMToNVVMPasses() {
  registerPass([] { return createConvertSMToNVVMPass(); });
  registerPass([] { return createCheckSelectablePass(); });
  PassPipelineRegistration<>("sm-to-llvm", "from kernels in sm to the LLVM dialect, checked",
                             [](OpPassManager &manager) { addSMToLLVMPasses(manager); });
}

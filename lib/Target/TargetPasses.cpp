//===- TargetPasses.cpp - the GPU target as passes, for lit ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/TargetPasses.h"
#include "tilec/Target/Cubin.h"
#include "tilec/Target/PTX.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace tilec;

namespace {

/// Common to the passes below: the translations must be known before the pass runs.
template <class Pass> struct TargetPass : PassWrapper<Pass, OperationPass<ModuleOp>> {
  TargetPass() = default;
  TargetPass(const TargetPass &other) : PassWrapper<Pass, OperationPass<ModuleOp>>(other) {}
  void getDependentDialects(DialectRegistry &registry) const override {
    registerPTXTranslations(registry);
  }
  typename PassWrapper<Pass, OperationPass<ModuleOp>>::template Option<bool> lineInfo{
      *this, "line-info", llvm::cl::desc("write .loc"), llvm::cl::init(false)};
  typename PassWrapper<Pass, OperationPass<ModuleOp>>::template Option<bool> hoist{
      *this, "hoist", llvm::cl::desc("move code out of loops"), llvm::cl::init(true)};

  PTXOptions ptxOptions() const {
    PTXOptions options;
    options.lineInfo = lineInfo;
    options.hoist = hoist;
    return options;
  }
};

struct PrintPTXPass : TargetPass<PrintPTXPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintPTXPass)
  StringRef getArgument() const override { return "print-ptx"; }
  StringRef getDescription() const override { return "prints the module's PTX, then keeps the IR"; }
  void runOnOperation() override {
    FailureOr<std::string> ptx = emitPTX(getOperation(), ptxOptions());
    if (failed(ptx))
      return signalPassFailure();
    llvm::outs() << *ptx;
  }
};

struct PrintDeviceLLVMPass : TargetPass<PrintDeviceLLVMPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintDeviceLLVMPass)
  StringRef getArgument() const override { return "print-device-llvm"; }
  StringRef getDescription() const override { return "prints the module's optimised LLVM IR"; }
  void runOnOperation() override {
    FailureOr<std::string> text = emitDeviceLLVM(getOperation(), ptxOptions());
    if (failed(text))
      return signalPassFailure();
    llvm::outs() << *text;
  }
};

struct PrintCubinReportPass : TargetPass<PrintCubinReportPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintCubinReportPass)
  PrintCubinReportPass() = default;
  PrintCubinReportPass(const PrintCubinReportPass &other) : TargetPass(other) {}
  StringRef getArgument() const override { return "print-cubin-report"; }
  StringRef getDescription() const override {
    return "assembles each kernel and prints ptxas's report on it";
  }
  Option<bool> allowSpills{*this, "allow-spills", llvm::cl::desc("accept what ptxas warns of"),
                           llvm::cl::init(false)};

  void runOnOperation() override {
    FailureOr<std::string> ptx = emitPTX(getOperation(), ptxOptions());
    if (failed(ptx))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      CubinOptions options;
      options.allowSpills = allowSpills;
      FailureOr<Cubin> cubin = assemble(*ptx, kernel.getName(), options, kernel.getLoc());
      if (failed(cubin))
        return signalPassFailure();
      const KernelReport &report = cubin->report;
      llvm::outs() << kernel.getName() << ": " << report.registers << " registers, "
                   << report.barriers << " barriers, " << report.stackBytes << " bytes stack, "
                   << report.spillStoreBytes << "/" << report.spillLoadBytes << " bytes spilled, "
                   << report.notices.size() << " notices\n";
    }
  }
};

} // namespace

void tilec::registerTargetPasses() {
  PassRegistration<PrintPTXPass>();
  PassRegistration<PrintDeviceLLVMPass>();
  PassRegistration<PrintCubinReportPass>();
}

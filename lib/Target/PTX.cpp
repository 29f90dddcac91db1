//===- PTX.cpp - PTX from kernels in the LLVM dialect ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/PTX.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <mutex>

using namespace mlir;
using namespace tilec;

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace {

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Arch &arch) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast; // products and sums may fuse
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, arch.name, "+ptx" + std::to_string(arch.ptx), options,
                                  llvm::Reloc::PIC_, {}, llvm::CodeGenOptLevel::Aggressive));
}

/// What the IR cannot say in the LLVM dialect: f32 denormals flush to zero, and an asm with side
/// effects is convergent (wgmma or a barrier may not sink into a divergent branch).
void setConventions(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->isInlineAsm())
        continue;
      if (cast<llvm::InlineAsm>(call->getCalledOperand())->hasSideEffects()) {
        call->setConvergent();
        // Equal tails of two branches stay apart: see sm-split-edges.
        call->addFnAttr(llvm::Attribute::NoMerge);
      }
    }
  }
}

/// Vectors of a thread become scalars before anything else looks at them: registers, as on the GPU.
llvm::ModulePassManager hoistingPasses(llvm::PassBuilder &builder) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ScalarizerPass()));
  passes.addPass(builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3));
  return passes;
}

/// What is computed in a loop stays there: O3 without LICM, reassociation and what undoes it.
llvm::ModulePassManager leanPasses() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager modulePasses;
  modulePasses.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  return modulePasses;
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine, bool hoist) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  (hoist ? hoistingPasses(builder) : leanPasses()).run(module, modules);
}

/// Gives LLVM's own errors a place: they come from asm texts and broken limits.
void reportDiagnostic(const llvm::DiagnosticInfo *info, void *module) {
  if (info->getSeverity() != llvm::DS_Error)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  emitError(static_cast<ModuleOp *>(module)->getLoc()) << "LLVM: " << text;
}

/// The back end ends the process where it cannot select; nvvm-check-selectable should have spoken.
void reportFatalError(void *, const char *reason, bool) {
  llvm::errs() << "error: internal error of the PTX back end: " << reason
               << "\nnote: nvvm-check-selectable accepted an operation that it should report\n";
}

/// An optimised LLVM module and what lives as long as it.
struct DeviceModule {
  ModuleOp source;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

LogicalResult translate(ModuleOp source, const PTXOptions &options, DeviceModule &device) {
  device.context.setDiagnosticHandlerCallBack(reportDiagnostic, &device.source);
  device.module = translateModuleToLLVMIR(source, device.context);
  if (!device.module)
    return source.emitError("expected a module in the LLVM dialect, found one that does not "
                            "translate to LLVM IR; run sm-to-llvm first");
  device.module->setTargetTriple(device.machine->getTargetTriple());
  device.module->setDataLayout(device.machine->createDataLayout());
  setConventions(*device.module);
  optimize(*device.module, *device.machine, options.hoist);
  return success();
}

/// Scopes for the locations that are there. Only `.loc` lines come of it, no debug sections.
LogicalResult addDebugScopes(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass({LLVM::DIEmissionKind::DebugDirectivesOnly}));
  return passes.run(module);
}

LogicalResult buildDeviceModule(ModuleOp module, const PTXOptions &options, DeviceModule &device) {
  device.source = module;
  device.machine = makeTargetMachine(options.arch);
  if (!device.machine)
    return module.emitError("expected an LLVM with the NVPTX target, found none");
  if (!options.lineInfo)
    return translate(module, options, device);
  OwningOpRef<ModuleOp> scoped = module.clone();
  if (failed(addDebugScopes(*scoped)))
    return failure();
  return translate(*scoped, options, device);
}

} // namespace

void tilec::registerPTXTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

FailureOr<std::string> tilec::emitDeviceLLVM(ModuleOp module, const PTXOptions &options) {
  DeviceModule device;
  if (failed(buildDeviceModule(module, options, device)))
    return failure();
  std::string text;
  llvm::raw_string_ostream stream(text);
  device.module->print(stream, nullptr);
  return text;
}

static FailureOr<std::string> generatePTX(llvm::Module &module, llvm::TargetMachine &machine,
                                          Location location) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return emitError(location, "expected an LLVM that can write PTX, found one that cannot");
  passes.run(module);
  return text.str().str();
}

FailureOr<std::string> tilec::emitPTX(ModuleOp module, const PTXOptions &options) {
  llvm::ScopedFatalErrorHandler fatal(reportFatalError);
  DeviceModule device;
  if (failed(buildDeviceModule(module, options, device)))
    return failure();
  return generatePTX(*device.module, *device.machine, module.getLoc());
}

FailureOr<std::string> tilec::emitPTXFromLLVM(StringRef llvmIR, Location location,
                                              const PTXOptions &options) {
  llvm::ScopedFatalErrorHandler fatal(reportFatalError);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(options.arch);
  llvm::SMDiagnostic fault;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssembly(llvm::MemoryBufferRef(llvmIR, "saved LLVM IR"), fault, context);
  if (!machine || !module)
    return emitError(location) << "expected LLVM IR as --save-stages writes it: line "
                               << fault.getLineNo() << ": " << fault.getMessage();
  return generatePTX(*module, *machine, location);
}

//===- Host.cpp - x86-64 objects ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/Host.h"

#include "HostMachine.h"
#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using llvm::TargetMachine;

std::unique_ptr<TargetMachine> tilec::createHostMachine(Location loc, const HostOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    emitError(loc) << "the host target expected an LLVM with x86-64, found none: " << error;
    return nullptr;
  }
  auto level =
      llvm::CodeGenOpt::getLevel(options.optLevel).value_or(llvm::CodeGenOptLevel::Aggressive);
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, options.cpu, "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, level));
}

/// Runs the passes and translates to LLVM.
static std::unique_ptr<llvm::Module> lowerToLLVM(ModuleOp module, llvm::LLVMContext &context) {
  DialectRegistry registry;
  tilec::registerTileToLinalgDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);
  PassManager pm(module->getContext());
  tilec::addTileToHostPasses(pm);
  if (failed(pm.run(module)))
    return nullptr;
  return translateModuleToLLVMIR(module, context, "tile");
}

static void optimize(llvm::Module &module, TargetMachine &machine, unsigned level) {
  static const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2,
      llvm::OptimizationLevel::O3};
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = level >= 2;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::OptimizationLevel chosen = levels[std::min(level, 3u)];
  llvm::ModulePassManager passes = level == 0 ? builder.buildO0DefaultPipeline(chosen)
                                              : builder.buildPerModuleDefaultPipeline(chosen);
  passes.run(module, modules);
}

/// Compiles to optimised LLVM, then hands that to `emit`.
static FailureOr<std::string> compile(
    ModuleOp module, const tilec::HostOptions &options,
    llvm::function_ref<LogicalResult(llvm::Module &, TargetMachine &, llvm::raw_pwrite_stream &)>
        emit) {
  std::unique_ptr<TargetMachine> machine = tilec::createHostMachine(module.getLoc(), options);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = lowerToLLVM(module, context);
  if (!translated)
    return failure();
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", options.cpu);
      function.setDoesNotThrow();
    }
  optimize(*translated, *machine, options.optLevel);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (failed(emit(*translated, *machine, stream)))
    return failure();
  return std::string(bytes.begin(), bytes.end());
}

FailureOr<std::string> tilec::emitHostLLVM(ModuleOp module, const HostOptions &options) {
  return compile(module, options,
                 [](llvm::Module &translated, TargetMachine &, llvm::raw_pwrite_stream &stream) {
                   translated.print(stream, nullptr);
                   return success();
                 });
}

FailureOr<std::string> tilec::emitHostObject(ModuleOp module, const HostOptions &options) {
  Location loc = module.getLoc();
  return compile(
      module, options,
      [loc](llvm::Module &translated, TargetMachine &machine,
            llvm::raw_pwrite_stream &stream) -> LogicalResult {
        llvm::legacy::PassManager passes;
        if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
          return emitError(
              loc, "the host target expected an LLVM that writes x86-64 objects, found one that "
                   "does not");
        passes.run(translated);
        return success();
      });
}

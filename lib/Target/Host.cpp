//===- Host.cpp - x86-64 objects ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/Host.h"

#include "HostMachine.h"
#include "tilec/Conversion/TileToLinalg.h"
#include "tilec/Target/Reuse.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
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
  pm.enableVerifier(false); // `tile-opt` verifies behind each pass
  tilec::addTileToHostPasses(pm);
  if (failed(pm.run(module)) || failed(verify(module)))
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

namespace {
/// A kernel in LLVM IR and the machine that it is for.
struct HostModule {
  std::unique_ptr<TargetMachine> machine;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  /// Lowers `source`; not optimised yet.
  LogicalResult translate(ModuleOp source, const tilec::HostOptions &options);
  std::string text() const;
};
} // namespace

LogicalResult HostModule::translate(ModuleOp source, const tilec::HostOptions &options) {
  machine = tilec::createHostMachine(source.getLoc(), options);
  if (!machine || !(module = lowerToLLVM(source, context)))
    return failure();
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *module)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", options.cpu);
      function.setDoesNotThrow();
    }
  return success();
}

std::string HostModule::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

FailureOr<std::string> tilec::emitHostLLVM(ModuleOp module, const HostOptions &options) {
  HostModule host;
  if (failed(host.translate(module, options)))
    return failure();
  optimize(*host.module, *host.machine, options.optLevel);
  return host.text();
}

static FailureOr<std::string> generateObject(HostModule &host, unsigned optLevel, Location loc) {
  optimize(*host.module, *host.machine, optLevel);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (host.machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return emitError(loc, "the host target expected an LLVM that writes x86-64 objects, found one "
                          "that does not");
  passes.run(*host.module);
  return std::string(bytes.begin(), bytes.end());
}

FailureOr<std::string> tilec::emitHostObject(ModuleOp module, const HostOptions &options,
                                             HostReuse *reuse) {
  Location loc = module.getLoc();
  HostModule host;
  if (failed(host.translate(module, options)))
    return failure();
  std::string key;
  if (reuse) {
    key = reuse->store.key({host.text(), options.cpu, std::to_string(options.optLevel)}, "");
    if (std::optional<KeptCode> kept = reuse->store.find(reuse->name, key)) {
      reuse->found = true;
      return std::move(kept->code);
    }
  }
  FailureOr<std::string> object = generateObject(host, options.optLevel, loc);
  if (succeeded(object) && reuse && failed(reuse->store.keep(reuse->name, key, {*object, ""}, loc)))
    return failure();
  return object;
}

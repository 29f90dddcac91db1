//===- Compile.cpp - one kernel from `tile` IR to what runs ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Pipeline/Compile.h"

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Target/Host.h"
#include "tilec/Target/PTX.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace tilec;

namespace {
/// Runs the steps of one compilation, timing and saving each.
class Compilation {
public:
  Compilation(const CompileOptions &options, Location location)
      : options(options), location(location), kernelLocation(location) {}

  FailureOr<CompileResult> fromModule(ModuleOp module);
  FailureOr<CompileResult> fromText(Stage stage, StringRef text);

private:
  LogicalResult lower(ModuleOp module);
  LogicalResult runStep(ModuleOp module, const Step &step);
  LogicalResult emitHost(ModuleOp module);
  LogicalResult translate(ModuleOp module);
  LogicalResult translateText();
  CubinOptions cubinOptions() const;
  std::string cubinKey(ModuleOp module) const;
  LogicalResult makeCubin(ModuleOp module);
  LogicalResult assemblePTX();
  LogicalResult describe(ModuleOp module);
  LogicalResult save(StringRef name, StringRef extension, StringRef text);
  template <typename Function> LogicalResult timed(StringRef name, Function &&work);

  /// Fails where the input at `stage` is already past what is asked for.
  LogicalResult checkNotPast(Stage stage);

  const CompileOptions &options;
  Location location;
  Location kernelLocation; // of the author's function, once the kernel is described
  CompileResult result;
  unsigned savedFiles = 0;
};
} // namespace

/// The text of `module`. With locations LLVM's dialect is in the generic form: upstream's short
/// form of nvvm.barrier takes a location for its own attribute when it is read again.
static std::string print(ModuleOp module, bool locations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool generic = locations && !module.getOps<LLVM::LLVMFuncOp>().empty();
  module.print(os, OpPrintingFlags().enableDebugInfo(locations).printGenericOpForm(generic));
  return text;
}

/// The kernel in `ptx`; empty if there is none.
static StringRef entryName(StringRef ptx) {
  StringRef rest = ptx.split(".entry ").second;
  return rest.take_until([](char c) { return c == '(' || llvm::isSpace(c); });
}

static Operation *findKernel(ModuleOp module) {
  Operation *kernel = nullptr;
  module.walk([&](Operation *op) {
    if (!op->hasAttr(mlir::tile::TileDialect::launchAttrName))
      return WalkResult::advance();
    kernel = op;
    return WalkResult::interrupt();
  });
  return kernel;
}

template <typename Function> LogicalResult Compilation::timed(StringRef name, Function &&work) {
  auto start = std::chrono::steady_clock::now();
  LogicalResult outcome = work();
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  result.times.push_back({name.str(), spent.count()});
  return outcome;
}

LogicalResult Compilation::save(StringRef name, StringRef extension, StringRef text) {
  if (options.saveStages.empty())
    return success();
  std::string number = llvm::utostr(savedFiles++);
  SmallString<128> path(options.saveStages);
  llvm::sys::path::append(path, (number.size() < 2 ? "0" : "") + number + "-" + name + extension);
  std::error_code error = llvm::sys::fs::create_directories(options.saveStages);
  if (!error) {
    llvm::raw_fd_ostream file(path, error);
    if (!error)
      file << text;
  }
  if (error)
    return emitError(location) << "cannot write '" << path << "': " << error.message();
  return success();
}

LogicalResult Compilation::runStep(ModuleOp module, const Step &step) {
  PassManager manager(module->getName());
  // Once a step, which takes a tenth less time than behind each of its passes; `tile-opt` does
  // that.
  manager.enableVerifier(false);
  step.add(manager);
  if (failed(timed(step.name, [&] {
        return success(succeeded(manager.run(module)) && succeeded(verify(module)));
      })))
    return failure();
  markStep(module, step);
  // With locations, so that messages about a saved stage still name the author's lines.
  return options.saveStages.empty() ? success() : save(step.name, ".mlir", print(module, true));
}

LogicalResult Compilation::checkNotPast(Stage stage) {
  if (stage <= options.until)
    return success();
  return emitError(location) << "expected an input that is not past the stage '"
                             << stageName(options.until) << "', found one at '" << stageName(stage)
                             << "'";
}

LogicalResult Compilation::lower(ModuleOp module) {
  std::optional<size_t> first = nextStep(module);
  if (!first)
    return emitError(location) << "expected 'tile.stage' to name a step of the pipeline, found "
                               << module->getAttr("tile.stage");
  if (*first > 0 && failed(checkNotPast(pipelineSteps()[*first - 1].after)))
    return failure();
  if (*first == 0 && !options.saveStages.empty() &&
      failed(save("tile", ".mlir", print(module, true))))
    return failure();
  for (const Step &step : pipelineSteps().drop_front(*first)) {
    if (step.scheduled && options.simple)
      continue;
    if (step.after > options.until || (options.until == Stage::Tile && !options.saveStages.size()))
      break;
    // Behind the last step on `sm`.
    if (step.after == Stage::NVVM)
      for (auto kernel : module.getOps<func::FuncOp>())
        if (kernel->hasAttr(mlir::tile::TileDialect::launchAttrName))
          result.loops = loopCosts(kernel);
    if (failed(runStep(module, step)))
      return failure();
    if (step.name == options.untilStep)
      return success();
  }
  if (!options.untilStep.empty())
    return emitError(location) << "the pipeline has no step '" << options.untilStep
                               << "' after the one that the module is at";
  return success();
}

LogicalResult Compilation::describe(ModuleOp module) {
  Operation *kernel = findKernel(module);
  if (!kernel)
    return emitError(location) << "expected a kernel with the attribute 'tile.launch', found none";
  FailureOr<KernelDesc> desc = describeKernel(kernel);
  if (failed(desc))
    return failure();
  result.desc = std::move(*desc);
  kernelLocation = kernel->getLoc();
  return success();
}

LogicalResult Compilation::translate(ModuleOp module) {
  if (failed(describe(module)))
    return failure();
  PTXOptions ptxOptions;
  ptxOptions.lineInfo = options.lineInfo;
  LogicalResult optimized = timed("llvm", [&]() -> LogicalResult {
    FailureOr<std::string> llvmIR = emitDeviceLLVM(module, ptxOptions);
    if (failed(llvmIR))
      return failure();
    result.text = std::move(*llvmIR);
    return save("llvm", ".ll", result.text);
  });
  return success(succeeded(optimized) &&
                 (options.until == Stage::LLVM || succeeded(translateText())));
}

/// The back end's output depends on the order of use lists, which text does not keep: so it is
/// given the text always, and a saved `.ll` ends in the same machine code.
LogicalResult Compilation::translateText() {
  return timed("llvm-to-ptx", [&]() -> LogicalResult {
    PTXOptions ptxOptions;
    ptxOptions.lineInfo = options.lineInfo;
    FailureOr<std::string> ptx = emitPTXFromLLVM(result.text, location, ptxOptions);
    if (failed(ptx))
      return failure();
    result.text = std::move(*ptx);
    return save("ptx", ".ptx", result.text);
  });
}

CubinOptions Compilation::cubinOptions() const {
  CubinOptions cubinOptions;
  // The calls that print need a stack and end what is in flight: such a kernel is for debugging.
  cubinOptions.allowSpills = options.allowSpills || result.desc.prints;
  cubinOptions.lineInfo = options.lineInfo;
  cubinOptions.threads = result.desc.symbol.empty() ? 0 : result.desc.numThreads();
  cubinOptions.ctasPerSM = result.desc.ctasPerSM;
  cubinOptions.scheduled = result.desc.producerWarps > 0;
  return cubinOptions;
}

LogicalResult Compilation::assemblePTX() {
  std::string kernel = result.desc.symbol;
  if (kernel.empty())
    kernel = entryName(result.text).str();
  if (kernel.empty())
    return emitError(location, "expected a kernel ('.entry') in the PTX, found none");
  return timed("ptxas", [&]() -> LogicalResult {
    FailureOr<Cubin> cubin = assemble(result.text, kernel, cubinOptions(), kernelLocation);
    if (failed(cubin))
      return failure();
    result.cubin = std::move(*cubin);
    return save("cubin", ".cubin", result.cubin.bytes);
  });
}

/// Of everything that the machine code depends on; the rules of its report are checked anew.
std::string Compilation::cubinKey(ModuleOp module) const {
  CubinOptions cubinOptions = this->cubinOptions();
  return options.reuse.key({print(module, options.lineInfo), options.lineInfo ? "lines" : "",
                            cubinOptions.arch.name, result.desc.symbol},
                           findPtxas(cubinOptions));
}

/// From the LLVM dialect to machine code, or to that of an earlier compilation of the same.
LogicalResult Compilation::makeCubin(ModuleOp module) {
  if (!options.reuse || !options.saveStages.empty())
    return success(succeeded(translate(module)) && succeeded(assemblePTX()));
  if (failed(describe(module)))
    return failure();
  std::string name = result.desc.symbol + ".cubin", key;
  std::optional<KeptCode> kept;
  (void)timed("reuse", [&] {
    kept = options.reuse.find(name, key = cubinKey(module));
    return success();
  });
  if (!kept)
    return success(
        succeeded(translate(module)) && succeeded(assemblePTX()) &&
        succeeded(options.reuse.keep(name, key, {result.cubin.bytes, result.cubin.log}, location)));
  FailureOr<Cubin> cubin = checkedCubin(std::move(kept->code), std::move(kept->log),
                                        result.desc.symbol, cubinOptions(), kernelLocation);
  if (failed(cubin))
    return failure();
  result.cubin = std::move(*cubin);
  result.reused = true;
  return success();
}

LogicalResult Compilation::emitHost(ModuleOp module) {
  if (failed(describe(module)))
    return failure();
  return timed("host", [&]() -> LogicalResult {
    HostReuse reuse{options.reuse, result.desc.symbol + ".o"};
    FailureOr<std::string> object = emitHostObject(module, {}, options.reuse ? &reuse : nullptr);
    if (failed(object))
      return failure();
    result.object = std::move(*object);
    result.reused = reuse.found;
    return success();
  });
}

FailureOr<CompileResult> Compilation::fromModule(ModuleOp module) {
  if (options.target == TargetKind::Host) {
    if (failed(emitHost(module)))
      return failure();
    return std::move(result);
  }
  if (failed(lower(module)))
    return failure();
  if (options.until <= Stage::NVVM || !options.untilStep.empty()) {
    result.text = print(module, options.lineInfo);
    return std::move(result);
  }
  if (failed(options.until == Stage::Cubin ? makeCubin(module) : translate(module)))
    return failure();
  return std::move(result);
}

FailureOr<CompileResult> Compilation::fromText(Stage stage, StringRef text) {
  if (failed(checkNotPast(stage)))
    return failure();
  result.text = text.str();
  if (stage == Stage::LLVM && options.until > Stage::LLVM && failed(translateText()))
    return failure();
  if (options.until == Stage::Cubin && failed(assemblePTX()))
    return failure();
  return std::move(result);
}

FailureOr<CompileResult> tilec::compile(ModuleOp module, const CompileOptions &options) {
  return Compilation(options, module.getLoc()).fromModule(module);
}

FailureOr<CompileResult> tilec::compileText(Stage stage, StringRef text, Location location,
                                            const CompileOptions &options) {
  return Compilation(options, location).fromText(stage, text);
}

//===- tilec.cpp - the compiler driver -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "tilec/Pipeline/Dialects.h"
#include "tilec/Target/Library.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilec;

static OwningOpRef<ModuleOp> loadModule(MLIRContext &context, const DriverOptions &options) {
  if (!StringRef(options.input).ends_with(".mlir"))
    return ::tile::build(context, options.request);
  return parseSourceFile<ModuleOp>(options.input, &context);
}

/// Prints what `--report`, `--print-layouts` and `--print-shared-map` ask for.
static LogicalResult inspect(ModuleOp module, const DriverOptions &options) {
  auto runTo = [&](StringRef step) {
    OwningOpRef<ModuleOp> copy(module.clone());
    CompileOptions compileOptions = options.compile;
    compileOptions.untilStep = step.str();
    compileOptions.saveStages.clear();
    return succeeded(compile(*copy, compileOptions)) ? std::move(copy) : OwningOpRef<ModuleOp>();
  };
  if (options.printLayouts) {
    OwningOpRef<ModuleOp> laidOut = runTo("tile-optimize-conversions");
    if (!laidOut)
      return failure();
    printLayouts(llvm::outs(), *laidOut);
  }
  if (options.printSharedMap) {
    OwningOpRef<ModuleOp> allocated = runTo("tile-allocate-shared");
    if (!allocated)
      return failure();
    printSharedMap(llvm::outs(), *allocated);
  }
  return success();
}

static LogicalResult compileModule(ModuleOp module, const DriverOptions &options) {
  if (failed(inspect(module, options)))
    return failure();
  if (options.output == Output::Library)
    return writeLibraryFiles(module, options);
  bool host = options.compile.target == TargetKind::Host;
  if (options.output == Output::Object && !host)
    return emitError(module.getLoc(), "--emit=object needs --arch=host; --emit=library writes the "
                                      "assembly that embeds a cubin");
  if (options.output == Output::Stage && host && options.compile.until != Stage::Tile)
    return emitError(module.getLoc(), "--arch=host has the outputs tile, object and header");
  FailureOr<CompileResult> result = compile(module, options.compile);
  if (failed(result))
    return failure();
  if (options.report)
    printReport(llvm::outs(), *result);
  if (options.output == Output::Header)
    return writeFile(module.getLoc(), options.outputFile,
                     emitLauncherHeader(result->desc, {!host, host}));
  if (options.output == Output::Object)
    return writeFile(module.getLoc(), options.outputFile, result->object);
  bool cubin = options.compile.until == Stage::Cubin;
  if (cubin && options.outputFile == "-") // machine code is for files; --report and the like print
    return success();
  return writeFile(module.getLoc(), options.outputFile, cubin ? result->cubin.bytes : result->text);
}

/// LLVM IR and PTX that --save-stages wrote.
static LogicalResult compileSavedText(MLIRContext &context, const DriverOptions &options) {
  Location location = FileLineColLoc::get(&context, options.input, 1, 1);
  auto buffer = llvm::MemoryBuffer::getFile(options.input);
  if (!buffer)
    return emitError(location) << "cannot read: " << buffer.getError().message();
  Stage stage = StringRef(options.input).ends_with(".ll") ? Stage::LLVM : Stage::PTX;
  FailureOr<CompileResult> result =
      compileText(stage, (*buffer)->getBuffer(), location, options.compile);
  if (failed(result))
    return failure();
  if (options.report)
    printReport(llvm::outs(), *result);
  bool cubin = options.compile.until == Stage::Cubin;
  return writeFile(location, options.outputFile, cubin ? result->cubin.bytes : result->text);
}

static LogicalResult run(MLIRContext &context, const DriverOptions &options) {
  if (options.list) {
    listKernels(llvm::outs(), options.json);
    return success();
  }
  if (StringRef(options.input).ends_with(".ll") || StringRef(options.input).ends_with(".ptx"))
    return compileSavedText(context, options);
  OwningOpRef<ModuleOp> module = loadModule(context, options);
  return module ? compileModule(*module, options) : failure();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  std::optional<DriverOptions> options = parseCommandLine(argc, argv);
  if (!options)
    return 2;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  context.printOpOnDiagnostic(false);
  return succeeded(run(context, *options)) ? 0 : 1;
}

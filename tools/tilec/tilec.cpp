//===- tilec.cpp - the compiler driver -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "tilec/Pipeline/Dialects.h"
#include "tilec/Pipeline/Input.h"
#include "tilec/Target/Library.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace tilec;

static constexpr int badArguments = 2;

/// Prints what `--print-layouts`, `--print-shared-map` and `--print-schedule` ask for.
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
  return options.printSchedule ? printSchedule(llvm::outs(), module, options.compile) : success();
}

/// Writes the stage or the object that was asked for, and the report.
static LogicalResult writeResult(const CompileResult &result, const DriverOptions &options,
                                 Location location) {
  if (options.report || options.outputUnwanted())
    printReport(llvm::outs(), result);
  if (options.outputUnwanted())
    return success();
  if (options.output == Output::Object && options.compile.target == TargetKind::Cuda) {
    FailureOr<std::string> object = emitImageObject(location, result.desc, result.cubin.bytes);
    return success(succeeded(object) &&
                   succeeded(writeFile(location, options.outputFile, *object)));
  }
  if (options.output == Output::Object)
    return writeFile(location, options.outputFile, result.object);
  bool cubin = options.compile.until == Stage::Cubin;
  return writeFile(location, options.outputFile, cubin ? result.cubin.bytes : result.text);
}

static LogicalResult compileModule(ModuleOp module, const DriverOptions &options) {
  if (failed(inspect(module, options)))
    return failure();
  if (options.inspectOnly())
    return success();
  if (options.output == Output::Library)
    return writeLibraryFiles(module, options);
  if (failed(saveSchedule(module, options.compile)))
    return failure();
  FailureOr<CompileResult> result = compile(module, options.compile);
  if (failed(result))
    return failure();
  if (options.output != Output::Header)
    return writeResult(*result, options, module.getLoc());
  if (options.report)
    printReport(llvm::outs(), *result);
  bool host = options.compile.target == TargetKind::Host;
  return writeFile(module.getLoc(), options.outputFile,
                   emitLauncherHeader(result->desc, {!host, host, options.name}));
}

/// LLVM IR and PTX that --save-stages wrote.
static LogicalResult compileSavedText(Location location, const DriverOptions &options) {
  auto buffer = llvm::MemoryBuffer::getFile(options.input);
  if (!buffer)
    return emitError(location) << "cannot read '" << options.input
                               << "': " << buffer.getError().message();
  Stage stage = StringRef(options.input).ends_with(".ll") ? Stage::LLVM : Stage::PTX;
  FailureOr<CompileResult> result =
      compileText(stage, (*buffer)->getBuffer(), location, options.compile);
  return success(succeeded(result) && succeeded(writeResult(*result, options, location)));
}

/// An error without a line of a source is the driver's own message.
static LogicalResult printDriverError(Diagnostic &diagnostic) {
  if (!isa<UnknownLoc>(diagnostic.getLocation()) ||
      diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return failure(); // printed by the next handler
  llvm::WithColor::error(llvm::errs(), "tilec") << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    llvm::WithColor::note(llvm::errs(), "tilec") << note.str() << "\n";
  return success();
}

/// The exit status: 0, 1 for a kernel that does not compile, 2 for a wrong argument.
static int run(MLIRContext &context, const DriverOptions &options) {
  if (options.list) {
    listKernels(llvm::outs(), options.json);
    return 0;
  }
  Location location = UnknownLoc::get(&context);
  if (options.isText())
    return failed(compileSavedText(location, options));
  bool wrongArgument = false;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler loading(&context, [&](Diagnostic &diagnostic) {
      wrongArgument |= isa<UnknownLoc>(diagnostic.getLocation());
      return failure(); // printed by the next handler
    });
    module = loadKernel(context, options.request, options.compile.reuse.folder);
  }
  if (!module)
    return wrongArgument ? badArguments : 1;
  return failed(compileModule(*module, options));
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  std::optional<DriverOptions> options = parseCommandLine(argc, argv);
  if (!options)
    return badArguments;
  DialectRegistry registry;
  registerAllDialects(registry);
  // A module is one kernel, and builds run as many processes as there are cores.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler authorErrors(sources, &context);
  ScopedDiagnosticHandler driverErrors(&context, printDriverError);
  context.printOpOnDiagnostic(false);
  return run(context, *options);
}

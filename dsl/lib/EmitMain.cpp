//===- EmitMain.cpp - a main that prints the IR of its kernels ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Build.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tile::inline dsl {

namespace {

struct Options {
  std::string kernel, dtype;
  std::vector<std::pair<std::string, std::string>> config;
  bool locations = false;
};

} // namespace

static std::optional<Options> parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--debuginfo") {
      options.locations = true;
    } else if (argument.consume_front("--kernel=")) {
      options.kernel = argument.str();
    } else if (argument.consume_front("--dtype=")) {
      options.dtype = argument.str();
    } else if (argument.consume_front("--config=")) {
      for (llvm::StringRef setting : llvm::split(argument, ','))
        options.config.emplace_back(setting.split('=').first.str(),
                                    setting.split('=').second.str());
    } else {
      llvm::errs() << "error: unknown argument '" << argv[i]
                   << "'; known are --debuginfo, --kernel=, --dtype=, --config=\n";
      return std::nullopt;
    }
  }
  return options;
}

static void printLocation(mlir::Location loc, llvm::raw_ostream &out) {
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc))
    return printLocation(call.getCallee(), out);
  if (auto line = llvm::dyn_cast<mlir::FileLineColLoc>(loc))
    out << line.getFilename().getValue() << ':' << line.getLine() << ':' << line.getColumn()
        << ": ";
}

static void printDiagnostic(mlir::Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  printLocation(diagnostic.getLocation(), llvm::errs());
  llvm::errs() << (isError ? "error: " : "note: ") << diagnostic << '\n';
  mlir::Location loc = diagnostic.getLocation();
  while (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc)) {
    loc = call.getCaller();
    printLocation(loc, llvm::errs());
    llvm::errs() << "note: called from here\n";
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note);
}

static bool emit(mlir::MLIRContext &context, const BuildRequest &request, bool locations) {
  mlir::OwningOpRef<mlir::ModuleOp> module = build(context, request);
  if (!module)
    return false;
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(locations);
  module->print(llvm::outs(), flags);
  llvm::outs() << '\n';
  return true;
}

int emitMain(int argc, char **argv) {
  std::optional<Options> options = parseOptions(argc, argv);
  if (!options)
    return 2;
  mlir::MLIRContext context;
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &d) { printDiagnostic(d); });
  if (!options->kernel.empty())
    return emit(context, {options->kernel, options->dtype, options->config}, options->locations)
               ? 0
               : 1;
  bool ok = true;
  for (const KernelEntry &entry : registeredKernels())
    for (const std::string &dtype : entry.dtypes)
      if (options->dtype.empty() || options->dtype == dtype)
        ok &= emit(context, {entry.name, dtype, options->config}, options->locations);
  return ok ? 0 : 1;
}

} // namespace tile::inline dsl

//===- InterpretedLaunch.cpp - the kernels' sm code in the interpreter ----===//
// SPDX-License-Identifier: Apache-2.0
//
// tile-kernel-tests-sm has the same tests as tile-kernel-tests, and this in place of Launch.cpp.
// The interpreter checks what no comparison of results finds: races, missing fences, memory that
// nobody wrote.

#include "Coverage.h"
#include "Harness.h"
#include "KernelRequest.h"
#include "Launch.h"
#include "tile/dsl/Build.h"
#include "tilec/Interpreter/HostKernel.h"
#include "tilec/Pipeline/Compile.h"
#include "tilec/Pipeline/Dialects.h"

#include "mlir/IR/MLIRContext.h"

#include <map>

namespace {
/// A kernel of the list, down to `sm`.
class Interpreted {
public:
  explicit Interpreted(const tile::KernelInfo &info);

  tile::Status launch(tile::Stream stream, std::span<const tile::Arg> args, uint64_t seed);
  bool hasRun() const { return kernel && kernel->ctasDone() > 0; }

private:
  mlir::LogicalResult compile(const tile::KernelInfo &info);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> root;
  std::unique_ptr<tilec::InterpretedKernel> kernel;
  std::unique_ptr<tilec::KernelTables> tables;
  std::unique_ptr<tile::Launcher> launcher;
  std::string said; // what was reported since the last launch
};
} // namespace

static mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  tilec::registerAllDialects(registry);
  return registry;
}

Interpreted::Interpreted(const tile::KernelInfo &info)
    : context(allDialects(), mlir::MLIRContext::Threading::DISABLED) {
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream os(said);
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      os << diagnostic.getLocation() << ": " << diagnostic << "\n";
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      os << "  " << note.getLocation() << ": " << note << "\n";
    return mlir::success();
  });
  if (failed(compile(info)))
    launcher.reset();
}

mlir::LogicalResult Interpreted::compile(const tile::KernelInfo &info) {
  root = tile::build(context, tile::test::requestOf(info.symbol));
  tilec::CompileOptions options;
  options.until = tilec::Stage::SM;
  if (!root || failed(tilec::compile(*root, options)))
    return mlir::failure();
  auto made = tilec::InterpretedKernel::create(*root->getOps<mlir::func::FuncOp>().begin());
  if (failed(made))
    return mlir::failure();
  kernel = std::move(*made);
  tables = std::make_unique<tilec::KernelTables>(kernel->desc(), nullptr, kernel->function());
  launcher = std::make_unique<tile::Launcher>(tables->info());
  return mlir::success();
}

tile::Status Interpreted::launch(tile::Stream stream, std::span<const tile::Arg> args,
                                 uint64_t seed) {
  if (!launcher)
    return tile::Status::error("the kernel did not get as far as sm: " + said);
  said.clear();
  kernel->function(); // this kernel, and not the one that ran last
  kernel->clearFailure();
  kernel->seed = seed;
  tile::Status status = launcher->launch(stream, args);
  return kernel->hasFailed() ? tile::Status::error("in the interpreter: " + said) : status;
}

static auto &kernels() {
  static auto &made = *new std::map<const tile::KernelInfo *, std::unique_ptr<Interpreted>>;
  return made;
}

bool tile::test::isInterpreted() { return true; }

int64_t tile::test::multiprocessors(Device) { return tilec::InterpretedKernel::usualSmCount; }

bool tile::test::wasInterpreted(const KernelInfo &info) {
  auto found = kernels().find(&info);
  return found != kernels().end() && found->second->hasRun();
}

tile::Status tile::test::launch(const KernelInfo &info, Stream stream, std::span<const Arg> args,
                                uint64_t seed) {
  std::unique_ptr<Interpreted> &kernel = kernels()[&info];
  if (!kernel)
    kernel = std::make_unique<Interpreted>(info);
  return kernel->launch(stream, args, seed);
}

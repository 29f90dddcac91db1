//===- Schedule.cpp - the roles of a kernel at work ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Protocol/Picture.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tilec;

/// The step behind which places, barriers and roles are final on both paths.
static constexpr llvm::StringLiteral kLastStep = "tile-insert-barriers-and-fences";
static constexpr llvm::StringLiteral kDeclines = "the kernel takes the simple path: ";

/// A copy of `module`, lowered; null on an error. Puts the remark that declines roles into `why`.
static OwningOpRef<ModuleOp> lowerCopy(ModuleOp module, CompileOptions options, std::string &why) {
  ScopedDiagnosticHandler remarks(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
      return failure(); // printed by the next handler
    std::string text = diagnostic.str();
    if (!StringRef(text).starts_with(kDeclines))
      return success(); // the compilation itself says it
    llvm::raw_string_ostream os(why);
    os << StringRef(text).drop_front(kDeclines.size());
    if (auto where = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      os << " (" << where.getFilename().getValue() << ":" << where.getLine() << ")";
    return success();
  });
  OwningOpRef<ModuleOp> copy(module.clone());
  options.untilStep = kLastStep.str();
  options.saveStages.clear();
  return succeeded(compile(*copy, options)) ? std::move(copy) : OwningOpRef<ModuleOp>();
}

static mlir::tile::KernelOp withRoles(ModuleOp module) {
  for (auto kernel : module.getOps<mlir::tile::KernelOp>())
    if (!kernel.getBody().front().getOps<pipe::SpecializeOp>().empty())
      return kernel;
  return nullptr;
}

LogicalResult tilec::printSchedule(llvm::raw_ostream &os, ModuleOp module,
                                   const CompileOptions &options) {
  std::string why;
  OwningOpRef<ModuleOp> lowered = lowerCopy(module, options, why);
  if (!lowered)
    return failure();
  if (auto kernel = withRoles(*lowered)) {
    printSchedule(os, kernel);
    return success();
  }
  if (why.empty())
    why = options.simple ? "--schedule=simple asks for it" : "no loop is pipelined";
  os << "path       simple, without a schedule: " << why << "\n";
  return success();
}

LogicalResult tilec::saveSchedule(ModuleOp module, const CompileOptions &options) {
  bool fromStart = nextStep(module) == std::optional<size_t>(0);
  if (options.saveStages.empty() || options.simple || options.target != TargetKind::Cuda ||
      !fromStart)
    return success();
  std::string why;
  OwningOpRef<ModuleOp> lowered = lowerCopy(module, options, why);
  mlir::tile::KernelOp kernel = lowered ? withRoles(*lowered) : nullptr;
  if (!kernel)
    return success(static_cast<bool>(lowered));
  if (std::error_code error = llvm::sys::fs::create_directories(options.saveStages))
    return emitError(module.getLoc())
           << "cannot make the folder '" << options.saveStages << "': " << error.message();
  SmallString<128> path(options.saveStages);
  llvm::sys::path::append(path, "schedule.svg");
  return writeFile(module.getLoc(), path, drawSchedule(kernel));
}

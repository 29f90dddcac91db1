//===- Input.cpp - kernels by name and by file ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "tilec/Pipeline/Input.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;

namespace tilec {

namespace {
/// The folder of the language's headers: beside an installed program, else where it was built.
std::string headerFolder() {
  static int anchor;
  SmallString<128> folder(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
  llvm::sys::path::remove_filename(folder);
  llvm::sys::path::append(folder, "..", "include");
  SmallString<128> header(folder);
  llvm::sys::path::append(header, "tile", "dsl", "Dsl.h");
  return llvm::sys::fs::exists(header) ? std::string(folder) : TILEC_DSL_INCLUDE;
}

/// The compiler's own output goes to stderr and is the message.
LogicalResult compileShared(StringRef source, StringRef object, Location location) {
  const char *chosen = std::getenv("TILEC_CXX");
  std::string name = chosen ? chosen : TILEC_CXX_COMPILER;
  auto program = llvm::sys::findProgramByName(name);
  if (!program)
    return emitError(location) << "expected a C++20 compiler, found none called '" << name
                               << "'; set TILEC_CXX";
  std::string include = "-I" + headerFolder();
  StringRef arguments[] = {*program,  "-std=c++20", "-O0", "-fPIC", "-shared", "-Wall",
                           "-Wextra", include,      "-o",  object,  source};
  std::string why;
  int code = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, {}, 0, 0, &why);
  if (code == 0)
    return success();
  return emitError(location) << "the source does not compile" << (why.empty() ? "" : ": ") << why;
}

/// Loads the source's kernels and returns their names, in the order of registration.
FailureOr<std::vector<std::string>> loadSource(StringRef source, Location location) {
  SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("tilec", folder))
    return emitError(location) << "cannot make a temporary folder: " << error.message();
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(folder); });
  SmallString<128> object(folder);
  llvm::sys::path::append(object, "kernels.so");
  if (failed(compileShared(source, object, location)))
    return failure();
  size_t before = tile::registeredKernels().size();
  if (!dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL))
    return emitError(location) << "cannot load the compiled source: " << dlerror();
  std::vector<std::string> names;
  for (const tile::KernelEntry &entry : tile::registeredKernels().subspan(before))
    names.push_back(entry.name);
  return names;
}

/// `wanted`, or the only kernel of a source if nothing is wanted.
FailureOr<std::string> chooseKernel(const std::vector<std::string> &names, StringRef wanted,
                                    Location location) {
  if (wanted.empty() && names.size() == 1)
    return names.front();
  if (llvm::is_contained(names, wanted))
    return wanted.str();
  InFlightDiagnostic error = emitError(location);
  if (names.empty())
    error << "expected a kernel, found none; TILE_KERNEL registers one";
  else if (wanted.empty())
    error << "expected one kernel, found " << llvm::join(names, ", ")
          << "; name one as file.cpp:" << names.front();
  else
    error << "expected one of the source's kernels (" << llvm::join(names, ", ") << "), found '"
          << wanted << "'";
  return error;
}
} // namespace

OwningOpRef<ModuleOp> loadKernel(MLIRContext &context, tile::BuildRequest request) {
  StringRef input = request.kernel;
  Location location = FileLineColLoc::get(&context, input, 1, 1);
  if (input.ends_with(".mlir")) {
    if (request.dtype.empty() && request.config.empty())
      return parseSourceFile<ModuleOp>(input, &context);
    emitError(location) << "expected neither --dtype nor --config with a .mlir file, whose kernel "
                           "is built already";
    return nullptr;
  }
  auto [file, wanted] = input.rsplit(':');
  if (!file.ends_with(".cpp"))
    return tile::build(context, request);
  if (!llvm::sys::fs::exists(file)) {
    emitError(UnknownLoc::get(&context)) << "cannot read '" << file << "': no such file";
    return nullptr;
  }
  location = FileLineColLoc::get(&context, file, 1, 1);
  FailureOr<std::vector<std::string>> names = loadSource(file, location);
  if (failed(names))
    return nullptr;
  FailureOr<std::string> chosen = chooseKernel(*names, wanted, location);
  if (failed(chosen))
    return nullptr;
  request.kernel = *chosen;
  return tile::build(context, request);
}

} // namespace tilec

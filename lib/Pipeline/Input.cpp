//===- Input.cpp - kernels by name and by file ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "tilec/Pipeline/Input.h"

#include "KeptObject.h"

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

/// Compiles `source` to a shared object, or takes the one in `keepIn` (empty: none) if it is still
/// good. Temporary files are in `folder`. The compiler's own output goes to stderr and is the
/// message.
FailureOr<std::string> compileShared(StringRef source, StringRef folder, StringRef keepIn,
                                     Location location) {
  const char *chosen = std::getenv("TILEC_CXX");
  std::string name = chosen ? chosen : TILEC_CXX_COMPILER;
  auto program = llvm::sys::findProgramByName(name);
  if (!program)
    return emitError(location) << "expected a C++20 compiler, found none called '" << name
                               << "'; set TILEC_CXX";
  std::string include = "-I" + headerFolder();
  SmallVector<StringRef> arguments{*program, "-std=c++20", "-O0",   "-fPIC", "-shared",
                                   "-Wall",  "-Wextra",    include, source};
  KeptObject kept(keepIn, source, arguments);
  if (std::string good = keepIn.empty() ? "" : kept.find(); !good.empty())
    return good;
  std::string object = (folder + "/kernels.so").str(), list = (folder + "/kernels.d").str();
  arguments.append({"-o", object, "-MMD", "-MF", list});
  std::string why;
  int code = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, {}, 0, 0, &why);
  if (code != 0)
    return why.empty() ? emitError(location) << "the source does not compile"
                       : emitError(location) << "cannot run the C++ compiler '" << *program
                                             << "': " << why << "; TILEC_CXX names another";
  return keepIn.empty() ? object : kept.keep(object, list);
}

/// Loads the source's kernels and returns their names, in the order of registration.
FailureOr<std::vector<std::string>> loadSource(StringRef source, StringRef keepIn,
                                               Location location) {
  SmallString<128> folder, prefix(keepIn); // renamed from there into `keepIn`: one file system
  std::error_code error;
  if (!keepIn.empty()) {
    error = llvm::sys::fs::make_absolute(prefix);
    error = error ? error : llvm::sys::fs::create_directories(prefix);
  }
  llvm::sys::path::append(prefix, "tilec");
  if (error || (error = llvm::sys::fs::createUniqueDirectory(prefix, folder)))
    return emitError(location) << "cannot make a temporary folder: " << error.message();
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(folder); });
  FailureOr<std::string> object = compileShared(source, folder, keepIn, location);
  if (failed(object))
    return failure();
  size_t before = tile::registeredKernels().size();
  if (!dlopen(object->c_str(), RTLD_NOW | RTLD_LOCAL))
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

OwningOpRef<ModuleOp> loadKernel(MLIRContext &context, tile::BuildRequest request,
                                 StringRef keepIn) {
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
  FailureOr<std::vector<std::string>> names = loadSource(file, keepIn, location);
  if (failed(names))
    return nullptr;
  FailureOr<std::string> chosen = chooseKernel(*names, wanted, location);
  if (failed(chosen))
    return nullptr;
  request.kernel = *chosen;
  return tile::build(context, request);
}

} // namespace tilec

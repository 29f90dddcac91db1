//===- Reuse.cpp - machine code of earlier compilations -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/Reuse.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using namespace mlir;
using namespace tilec;

/// A file is this line, then key, digest of what follows, and length of the log, each on a line;
/// then log and code.
static constexpr StringLiteral firstLine = "tilec machine code 1\n";

std::string tilec::hashOf(ArrayRef<StringRef> parts) {
  llvm::BLAKE3 hash;
  for (StringRef part : parts) {
    hash.update(llvm::utostr(part.size()) + ":");
    hash.update(part);
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

std::string tilec::fileState(StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return {};
  return (path + " " + Twine(status.getSize()) + " " +
          Twine(status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

/// The file that the code at `address` was loaded from, as fileState.
static std::string loadedFile(const void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? fileState(info.dli_fname) : std::string();
}

std::string Reuse::key(ArrayRef<StringRef> parts, StringRef program) const {
  // What turns MLIR into LLVM, LLVM into machine code, and the text that it prints into the rest.
  std::string translation = loadedFile(reinterpret_cast<const void *>(&translateModuleToLLVMIR));
  std::string backEnd = loadedFile(reinterpret_cast<const void *>(&LLVMGetTargetName));
  std::string assembler = program.empty() ? "none" : fileState(program);
  if (translation.empty() || backEnd.empty() || assembler.empty())
    return {};
  SmallVector<StringRef> all{TILEC_CODEGEN_HASH, translation, backEnd, assembler, commandLine};
  all.append(parts.begin(), parts.end());
  return hashOf(all);
}

std::optional<KeptCode> Reuse::find(StringRef name, StringRef key) const {
  if (folder.empty() || key.empty())
    return std::nullopt;
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  StringRef rest = buffer ? (*buffer)->getBuffer() : StringRef();
  if (!rest.consume_front(firstLine) || !rest.consume_front(key) || !rest.consume_front("\n"))
    return std::nullopt;
  auto [digest, body] = rest.split('\n');
  auto [length, payload] = body.split('\n');
  size_t logSize = 0;
  if (digest != hashOf({key, body}) || length.getAsInteger(10, logSize) || logSize > payload.size())
    return std::nullopt;
  return KeptCode{payload.drop_front(logSize).str(), payload.take_front(logSize).str()};
}

LogicalResult Reuse::keep(StringRef name, StringRef key, const KeptCode &kept,
                          Location location) const {
  if (folder.empty() || key.empty())
    return success();
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  std::string body = llvm::utostr(kept.log.size()) + "\n" + kept.log + kept.code;
  std::string digest = hashOf({key, body});
  std::error_code folderError = llvm::sys::fs::create_directories(folder);
  llvm::Error error = folderError ? llvm::errorCodeToError(folderError)
                                  : llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
                                      os << firstLine << key << "\n" << digest << "\n" << body;
                                      return llvm::Error::success();
                                    });
  if (error)
    return emitError(location) << "cannot write '" << path
                               << "': " << llvm::toString(std::move(error));
  return success();
}

//===- Reuse.h - machine code of earlier compilations ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most changes of the compiler leave most kernels as they were, and LLVM and ptxas take most of the
// time of a compilation. So a build keeps what they made in a folder, one file for each kernel and
// target, under a key: a hash of their input and options, of which programs and libraries they are,
// and of the sources here that drive them. A key that differs in anything, or a damaged file, means
// to compile.
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_REUSE_H
#define TILEC_TARGET_REUSE_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"

#include <optional>
#include <string>

namespace tilec {

/// What one compilation made.
struct KeptCode {
  std::string code;
  std::string log; ///< what the assembler printed
};

/// A folder of kept code; without a folder nothing is found and nothing kept.
struct Reuse {
  std::string folder;
  /// Options of the process that no field of a compilation shows, such as LLVM's own.
  std::string commandLine;

  explicit operator bool() const { return !folder.empty(); }

  /// The key of code that this process and `program` (a path; empty: none) make from `parts`.
  /// Empty, under which nothing is found or kept, where it is not known which LLVM that is. A
  /// program and a library are known by path, size and time of change.
  std::string key(llvm::ArrayRef<llvm::StringRef> parts, llvm::StringRef program) const;
  /// The code in the file `name` if it was kept under `key` and is whole.
  std::optional<KeptCode> find(llvm::StringRef name, llvm::StringRef key) const;
  /// Replaces the file `name`. An error at `location` if it cannot be written.
  llvm::LogicalResult keep(llvm::StringRef name, llvm::StringRef key, const KeptCode &code,
                           mlir::Location location) const;
};

/// A hash of texts, each with its length, so that their borders count.
std::string hashOf(llvm::ArrayRef<llvm::StringRef> parts);
/// Path, size and time of the last change of a file; empty if there is none.
std::string fileState(llvm::StringRef path);

} // namespace tilec

#endif // TILEC_TARGET_REUSE_H

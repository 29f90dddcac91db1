//===- KeptObject.h - a source that was compiled before ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PIPELINE_KEPTOBJECT_H
#define TILEC_LIB_PIPELINE_KEPTOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilec {

/// The shared object of one source, in a folder of such. It is good as long as the source, every
/// header of it, the compiler and its options are what they were.
class KeptObject {
public:
  KeptObject(llvm::StringRef folder, llvm::StringRef source,
             llvm::ArrayRef<llvm::StringRef> command);

  /// The object's path, or nothing if none is good.
  std::string find() const;
  /// Takes over an object that was compiled just now, and what it depends on: a file of the
  /// compiler's -MMD. Returns its new path; where it cannot be kept, the old one.
  std::string keep(llvm::StringRef compiled, llvm::StringRef dependencies) const;

private:
  std::string keyOf(llvm::ArrayRef<std::string> files) const;

  std::string object, list, command;
};

} // namespace tilec

#endif // TILEC_LIB_PIPELINE_KEPTOBJECT_H

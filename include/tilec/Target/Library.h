//===- Library.h - kernels as a library for applications --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A kernel reaches an application as three files: a launcher header, an object (or its assembly
// source) that embeds the cubin, and for the host target an object that defines the kernel's own
// symbol.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_LIBRARY_H
#define TILEC_TARGET_LIBRARY_H

#include "tilec/Target/KernelDesc.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir {
class Location;
} // namespace mlir

namespace tilec {

struct LauncherOptions {
  /// The header refers to the cubin that emitImageSource embeds.
  bool hasImage = true;
  /// The header refers to the host object's function `desc.symbol`.
  bool hasHost = false;
  /// A second, short name of the launcher; empty: none.
  std::string alias;
};

/// A self-contained C++20 header with
///   tile::Status tile::kernels::SYMBOL(tile::Stream, const tile::Tensor &q, ..., float scale,
///                                      int64_t dim, ...)
/// and the kernel's tables. It includes nothing but tile/KernelInfo.h.
std::string emitLauncherHeader(const KernelDesc &desc, const LauncherOptions &options = {});

/// Assembly (GNU syntax, for the C++ compiler's driver) that defines the symbol SYMBOL_image with
/// the contents of `imageFile`, in read-only memory.
std::string emitImageSource(const KernelDesc &desc, const std::string &imageFile);

/// The x86-64 object that assembling emitImageSource would give, with `image` inside: linking it
/// needs no file and no assembler. Errors are reported at `location`.
llvm::FailureOr<std::string> emitImageObject(mlir::Location location, const KernelDesc &desc,
                                             llvm::StringRef image);

} // namespace tilec

#endif // TILEC_TARGET_LIBRARY_H

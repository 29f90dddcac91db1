//===- Input.h - kernels by name and by file --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPELINE_INPUT_H
#define TILEC_PIPELINE_INPUT_H

#include "tile/dsl/Build.h"

namespace tilec {

/// The module that `request.kernel` names, with the request's dtype and config:
///
///   name             a kernel linked into this program
///   file.mlir        any stage of the pipeline; takes neither dtype nor config
///   file.cpp         a source with one kernel
///   file.cpp:name    one of several in a source
///
/// A source is compiled against the language's headers into a shared object and loaded for the rest
/// of this process; its kernels hide earlier ones of the same name. The compiler is $TILEC_CXX,
/// else the one that built this program. On an error, which is reported through the context, null.
/// The shared object is kept in `keepIn`, a folder, for later processes; empty: it is not.
mlir::OwningOpRef<mlir::ModuleOp> loadKernel(mlir::MLIRContext &context, tile::BuildRequest request,
                                             llvm::StringRef keepIn = "");

} // namespace tilec

#endif // TILEC_PIPELINE_INPUT_H

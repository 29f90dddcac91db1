//===- Build.h - from a registered kernel to `tile` IR ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one header of the language that includes MLIR: for tools, not for kernels.

#ifndef TILE_DSL_BUILD_H
#define TILE_DSL_BUILD_H

#include "tile/dsl/KernelList.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tile::inline dsl {

/// Which kernel, for which element type (empty: its first), with which fields of its Config
/// changed.
struct BuildRequest {
  std::string kernel, dtype;
  std::vector<std::pair<std::string, std::string>> config;
};

/// A module with the one kernel, verified. The symbol is
/// `name__dtype__field1value1_field2value2...`. On an error, which is reported through the context
/// at the author's line, null.
mlir::OwningOpRef<mlir::ModuleOp> build(mlir::MLIRContext &context, const BuildRequest &request);

} // namespace tile::inline dsl

#endif // TILE_DSL_BUILD_H

//===- SharedNames.h - how an author knows a shared tile ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The language writes the axes of a shared tile into its location: loc("m, k"("Gemm.cpp":47:15)).
//===----------------------------------------------------------------------===//
#ifndef TILEC_ANALYSIS_SHAREDNAMES_H
#define TILEC_ANALYSIS_SHAREDNAMES_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// The names of the axes of the tile allocated at `location`, or nothing if there is not one for
/// each of `rank`.
llvm::SmallVector<llvm::StringRef> axisNames(mlir::Location location, size_t rank);

/// "[m=128, k=64] of bf16"; without names "128x64 of bf16".
std::string describeTile(mlir::Location location, mlir::tile::SharedType type);

} // namespace tilec

#endif // TILEC_ANALYSIS_SHAREDNAMES_H

//===- WindowMotion.h - where windows lie, and how they move in a loop ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_ANALYSIS_WINDOWMOTION_H
#define TILEC_ANALYSIS_WINDOWMOTION_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// True if any two iterations of `loop` see disjoint parts of the tensor through `window`: along
/// some dimension its offset advances by at least its extent. False also means "not known".
bool isDisjointEachIteration(mlir::tile::WindowOp window, mlir::scf::ForOp loop);
/// The same of a part of a shared tile.
bool isDisjointEachIteration(mlir::tile::SliceOp slice, mlir::scf::ForOp loop);

/// True if two windows of one tensor never meet: along some dimension they start far enough
/// apart. False also means "not known".
bool areApart(mlir::tile::WindowOp a, mlir::tile::WindowOp b);

} // namespace tilec

#endif // TILEC_ANALYSIS_WINDOWMOTION_H

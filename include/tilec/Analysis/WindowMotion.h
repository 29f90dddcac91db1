//===- WindowMotion.h - how a window moves from iteration to iteration ----===//
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

} // namespace tilec

#endif // TILEC_ANALYSIS_WINDOWMOTION_H

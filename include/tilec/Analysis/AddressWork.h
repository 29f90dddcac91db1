//===- AddressWork.h - what each role may compute for itself -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_ANALYSIS_ADDRESSWORK_H
#define TILEC_ANALYSIS_ADDRESSWORK_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// The kernel's parameter that a tensor is, or null.
inline mlir::BlockArgument parameterOf(mlir::Value tensor) {
  return mlir::dyn_cast<mlir::BlockArgument>(tensor);
}

/// True if an operation of the kernel writes the tensor or a window of it.
bool isWritten(mlir::Value tensor);

/// True if `op` computes nothing but scalars or windows from such, or reads a scalar of a tensor
/// that the kernel does not write: an operation that each role may do for itself. Branches and
/// loops count if all in them is so, but for loops that the author wants pipelined.
bool isAddressWork(mlir::Operation *op);

/// The values from outside that `op` or its regions use.
llvm::SmallVector<mlir::Value> usedFromOutside(mlir::Operation *op);

} // namespace tilec

#endif // TILEC_ANALYSIS_ADDRESSWORK_H

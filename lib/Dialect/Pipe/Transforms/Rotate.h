//===- Rotate.h - late products under the next iteration's work ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_PIPE_TRANSFORMS_ROTATE_H
#define TILEC_LIB_DIALECT_PIPE_TRANSFORMS_ROTATE_H

#include "LoopParts.h"

namespace tilec {

/// Replaces the loop by what `someTrips` builds and yields, under a test for at least one trip.
void replaceUnderTest(mlir::scf::ForOp loop, mlir::OpBuilder &builder,
                      llvm::function_ref<llvm::SmallVector<mlir::Value>()> someTrips);

/// The late products of an iteration are issued in the next one.
void rotate(const LoopParts &parts, mlir::OpBuilder &builder);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_PIPE_TRANSFORMS_ROTATE_H

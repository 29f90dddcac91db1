//===- LoopRegisters.h - what a loop's tiles take of a thread -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_PIPE_TRANSFORMS_LOOPREGISTERS_H
#define TILEC_LIB_DIALECT_PIPE_TRANSFORMS_LOOPREGISTERS_H

#include "LoopParts.h"

namespace tilec {

/// Registers that a loop may hold in tiles, by the number of consumer warpgroups; the rest of the
/// role's 240 or 160 is for addresses, row state and temporaries.
int64_t registerBudget(int64_t warpgroups);

/// Registers of a thread that hold its part of the tile.
int64_t registersOf(mlir::Value tile);

/// Those of a loop with its late products marked: results of products, and late products' operands.
int64_t estimateRegisters(mlir::scf::ForOp loop);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_PIPE_TRANSFORMS_LOOPREGISTERS_H

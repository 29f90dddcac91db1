//===- UnrollByTwo.h - two trips of a loop at a turn --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_SM_TRANSFORMS_UNROLLBYTWO_H
#define TILEC_LIB_DIALECT_SM_TRANSFORMS_UNROLLBYTWO_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilec {

/// Unrolls the loop; an odd trip that is left becomes a branch behind it.
mlir::LogicalResult unrollByTwo(mlir::scf::ForOp loop);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_SM_TRANSFORMS_UNROLLBYTWO_H

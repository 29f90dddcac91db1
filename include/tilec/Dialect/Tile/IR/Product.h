//===- Product.h - what the operands of a matrix product must be --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_TILE_IR_PRODUCT_H
#define TILEC_DIALECT_TILE_IR_PRODUCT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::tile {

/// Checks acc + a * b, for `tile.gemm` and `pipe.mma`: `a` is [M, K] ([K, M] transposed), a shared
/// tile or a fragment, `b` is a shared tile of [K, N] ([N, K] transposed), or of G of them, one for
/// each of G equal runs of rows; `acc` is [M, N] in f32. Errors are reported at `op`.
LogicalResult verifyProduct(Operation *op, Type a, Type b, RankedTensorType acc, bool transposeA,
                            bool transposeB);

} // namespace mlir::tile

#endif // TILEC_DIALECT_TILE_IR_PRODUCT_H

//===- MathExpansions.h - functions from multiplications and powers -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The errors are stated in dsl/include/tile/dsl/Ops.h.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_MATHEXPANSIONS_H
#define TILEC_LIB_TILE_TRANSFORMS_MATHEXPANSIONS_H

#include "mlir/IR/Builders.h"

namespace tilec {

/// `value` in every element of `type`, a float or a tensor of floats.
mlir::Value floatConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                          double value);

// Of f32, a scalar or a tensor.
mlir::Value expandTanh(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x);
/// The sine, or with `cosine` the cosine, of |x| up to 2^20.
mlir::Value expandSine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, bool cosine);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_MATHEXPANSIONS_H

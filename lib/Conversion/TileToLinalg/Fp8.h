//===- Fp8.h - conversions of 8-bit floats ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOLINALG_FP8_H
#define TILEC_LIB_CONVERSION_TILETOLINALG_FP8_H

#include "mlir/IR/Builders.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace tilec::host {

/// `x`, a scalar of e4m3 or e5m2, as f32: exactly.
mlir::Value widenFp8(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
/// `x`, a scalar of f32, rounded to e4m3 or e5m2, to nearest even. Past the largest finite value:
/// that value if `saturate`, otherwise NaN (e4m3) or infinity (e5m2). NaN becomes 0x7f.
mlir::Value narrowToFp8(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Type type,
                        bool saturate);

/// `arith.extf` from and `arith.truncf` to e4m3 and e5m2, on scalars, as integer operations. A
/// truncation rounds to nearest even and, as on the GPU, stops at the largest finite number.
void populateFp8Patterns(mlir::RewritePatternSet &patterns);

} // namespace tilec::host

#endif // TILEC_LIB_CONVERSION_TILETOLINALG_FP8_H

//===- Fp8.h - conversions of 8-bit floats ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOLINALG_FP8_H
#define TILEC_LIB_CONVERSION_TILETOLINALG_FP8_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace tilec::host {

/// `arith.extf` from and `arith.truncf` to e4m3 and e5m2, on scalars, as integer operations. A
/// truncation rounds to nearest even and, as on the GPU, stops at the largest finite number.
void populateFp8Patterns(mlir::RewritePatternSet &patterns);

} // namespace tilec::host

#endif // TILEC_LIB_CONVERSION_TILETOLINALG_FP8_H

//===- NarrowDivisions.h - 64-bit divisions of small numbers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_SM_TRANSFORMS_NARROWDIVISIONS_H
#define TILEC_LIB_DIALECT_SM_TRANSFORMS_NARROWDIVISIONS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tilec {

/// Unsigned divisions in 64 bits of what fits in 32, such as a program's number, become divisions
/// in 32 bits; the divisor may be anything. `count` counts them.
void populateNarrowDivisions(mlir::RewritePatternSet &patterns, mlir::Pass::Statistic &count);

/// The largest value, unsigned, that the integer may have in a running CTA, as far as its
/// operations tell.
uint64_t maxUnsigned(mlir::Value value);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_SM_TRANSFORMS_NARROWDIVISIONS_H

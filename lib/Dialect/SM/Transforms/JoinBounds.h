//===- JoinBounds.h - two upper bounds of a position are one -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_SM_TRANSFORMS_JOINBOUNDS_H
#define TILEC_LIB_DIALECT_SM_TRANSFORMS_JOINBOUNDS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tilec {

/// A mask `limit >= position & row >= position`, where a tile ends and what a causal query sees,
/// becomes `min(limit, row) >= position`: one comparison for each element instead of two.
void populateJoinBounds(mlir::RewritePatternSet &patterns, mlir::Pass::Statistic &count);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_SM_TRANSFORMS_JOINBOUNDS_H

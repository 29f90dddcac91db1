//===- CarryWords.h - packed elements around a loop --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_SM_TRANSFORMS_CARRYWORDS_H
#define TILEC_LIB_DIALECT_SM_TRANSFORMS_CARRYWORDS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tilec {

/// A loop carries vectors of 8- and 16-bit floats as 32-bit words: element by element, each would
/// take a register of its own, and be packed and unpacked in every trip. `count` counts loops.
void populateCarryWords(mlir::RewritePatternSet &patterns, mlir::Pass::Statistic &count);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_SM_TRANSFORMS_CARRYWORDS_H

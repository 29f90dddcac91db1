//===- PresumedHalves.h - exponentials on both sides of a wait --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_SM_TRANSFORMS_PRESUMEDHALVES_H
#define TILEC_LIB_SM_TRANSFORMS_PRESUMEDHALVES_H

#include "PresumedBlock.h"

#include "mlir/IR/IRMapping.h"

namespace tilec {

/// Puts one half of the presumed exponentials, and their sums, in front of the wait for the late
/// product behind `order`, the other half behind it: ptxas would move all of them to one side.
/// Leaves them where there is no such wait between the scores and the weights. `presumed` maps the
/// block's values to those that are computed with the reference before, and `shift` is what these
/// scores lose.
void holdHalf(const PresumedBlock &block, mlir::IRMapping &presumed, mlir::Value shift,
              mlir::sm::OrderOp order);

} // namespace tilec

#endif // TILEC_LIB_SM_TRANSFORMS_PRESUMEDHALVES_H

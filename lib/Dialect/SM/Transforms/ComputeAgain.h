//===- ComputeAgain.h - scores once more, where registers are short -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_SM_TRANSFORMS_COMPUTEAGAIN_H
#define TILEC_LIB_SM_TRANSFORMS_COMPUTEAGAIN_H

#include "tilec/Dialect/SM/IR/SM.h"

namespace tilec {

/// What the body of `again` yields, computed at `b`. The numbers that this takes are computed
/// there, too, from ones that LLVM knows nothing of (`sm.opaque`): code that hardly ever runs holds
/// no registers elsewhere.
mlir::Value computeScoresAgain(mlir::OpBuilder &b, mlir::sm::AgainOp again);

} // namespace tilec

#endif // TILEC_LIB_SM_TRANSFORMS_COMPUTEAGAIN_H

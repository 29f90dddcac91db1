//===- HoldExponentials.h - half of them behind a wait ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_SM_TRANSFORMS_HOLDEXPONENTIALS_H
#define TILEC_LIB_DIALECT_SM_TRANSFORMS_HOLDEXPONENTIALS_H

#include "tilec/Dialect/SM/IR/SM.h"

namespace tilec {

/// Keeps the second half of each tile of exponentials that follows the wait for `sum` behind it:
/// what a row's scores are reduced by is not known before, for them (`sm.behind`). Returns how many
/// tiles that are; none where `sum` was not waited for in the same block.
unsigned holdExponentials(mlir::Value sum);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_SM_TRANSFORMS_HOLDEXPONENTIALS_H

//===- Passes.h - passes over the `sm` dialect -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_SM_TRANSFORMS_PASSES_H
#define TILEC_DIALECT_SM_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilec {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"

} // namespace tilec

#endif // TILEC_DIALECT_SM_TRANSFORMS_PASSES_H

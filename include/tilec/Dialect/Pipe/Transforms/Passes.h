//===- Passes.h - passes over the `pipe` dialect -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_PIPE_TRANSFORMS_PASSES_H
#define TILEC_DIALECT_PIPE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilec {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tilec/Dialect/Pipe/Transforms/Passes.h.inc"

} // namespace tilec

#endif // TILEC_DIALECT_PIPE_TRANSFORMS_PASSES_H

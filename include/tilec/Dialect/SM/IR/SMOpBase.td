//===- SMOpBase.td - base class of the operations ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_OP_BASE_TD
#define TILEC_SM_OP_BASE_TD

include "tilec/Dialect/SM/IR/SMTypes.td"
include "tilec/Dialect/SM/IR/SMAttrs.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Ops without a side-effect trait have unknown effects: nothing moves across them.
class SM_Op<string mnemonic, list<Trait> traits = []> : Op<SM_Dialect, mnemonic, traits>;

#endif // TILEC_SM_OP_BASE_TD

//===- PipeOpBase.td - base class of the operations --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_OP_BASE_TD
#define TILEC_PIPE_OP_BASE_TD

include "tilec/Dialect/Pipe/IR/PipeTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Pipe_Op<string mnemonic, list<Trait> traits = []> : Op<Pipe_Dialect, mnemonic, traits>;

#endif // TILEC_PIPE_OP_BASE_TD

//===- PipeAttrs.td - attributes of the `pipe` dialect -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_ATTRS_TD
#define TILEC_PIPE_ATTRS_TD

include "tilec/Dialect/Pipe/IR/PipeDialect.td"
include "mlir/IR/EnumAttr.td"

#endif // TILEC_PIPE_ATTRS_TD

//===- PipeDialect.td - who does what, and when ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_DIALECT_TD
#define TILEC_PIPE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Pipe_Dialect : Dialect {
  let name = "pipe";
  let cppNamespace = "::mlir::pipe";
  let summary = "roles of a CTA, channels between them, matrix products in flight";
  let description = [{
    The scheduled path's own language: a kernel is split into a producer, which fills the slots of
    channels, and consumers, which compute. Tiles are still whole; barriers and phases are still
    inside channels and cursors.
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
  let useDefaultTypePrinterParser = 1;
}

#endif // TILEC_PIPE_DIALECT_TD

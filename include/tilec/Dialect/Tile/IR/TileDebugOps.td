//===- TileDebugOps.td - printing and checking while a kernel runs --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_DEBUG_OPS_TD
#define TILEC_TILE_DEBUG_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "prints a scalar or a fragment under a name, each element once per CTA";
  let description = "Example: `tile.print %m \"row max\" : tensor<64xf32>`. On the simple path and the host.";
  let arguments = (ins AnyTypeOf<[Tile_Element, Tile_Fragment]>:$value, StrAttr:$label);
  let assemblyFormat = "$value $label attr-dict `:` type($value)";
}

def Tile_CheckOp : Tile_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the kernel with a message unless the condition holds, everywhere in the tile";
  let description = [{
    On the GPU the message is printed and the kernel traps: the launch fails. On the host the launch
    returns an error.
    Example: `tile.check %ok "a page index is out of range" : tensor<64xi1>`
  }];
  let arguments = (ins AnyTypeOf<[I1, Tile_Fragment]>:$condition, StrAttr:$message);
  let assemblyFormat = "$condition $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

#endif // TILEC_TILE_DEBUG_OPS_TD

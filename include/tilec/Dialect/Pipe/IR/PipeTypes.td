//===- PipeTypes.td - channels, cursors, products in flight -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_TYPES_TD
#define TILEC_PIPE_TYPES_TD

include "tilec/Dialect/Pipe/IR/PipeAttrs.td"
include "tilec/Dialect/Tile/IR/TileTypes.td"

class Pipe_Type<string name, string typeMnemonic> : TypeDef<Pipe_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Pipe_ChannelType : Pipe_Type<"Channel", "channel"> {
  let summary = "a ring of `stages` slots in shared memory, each a tile of type `slot`";
  let description = "Example: `!pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>`";
  let parameters = (ins "::mlir::tile::SharedType":$slot, "int64_t":$stages);
  let assemblyFormat = "`<` qualified($slot) `,` $stages `>`";
  let genVerifyDecl = 1;
}

def Pipe_CursorType : Pipe_Type<"Cursor", "cursor"> {
  let summary = "a position in a ring: the slot, and the parity of the round";
  let description = [{
    Each role carries a cursor of its own through its loops; both advance once per slot used, so
    they agree whatever the trip counts are.
  }];
}

def Pipe_InflightType : Pipe_Type<"Inflight", "inflight"> {
  let summary = "an accumulator that the tensor cores are still writing";
  let description = [{
    Only the accumulator operand of another `pipe.mma`, and `pipe.mma_wait`, take one: reading an
    unfinished accumulator is a type error. Example: `!pipe.inflight<tensor<64x128xf32, #acc>>`
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
}

#endif // TILEC_PIPE_TYPES_TD

//===- TileShapeOps.td - positions, broadcasts, layout changes ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_SHAPE_OPS_TD
#define TILEC_TILE_SHAPE_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "0, 1, 2, ... along the one axis of the result (i32)";
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats a scalar or a fragment along new axes";
  let description = [{
    Axis k of the source is axis `dims[k]` of the result; `dims` is ascending, and empty for a scalar.
    Example: `%b = tile.broadcast %m dims = [0] : tensor<64xf32> to tensor<64x128xf32>`
  }];
  let arguments = (ins AnyTypeOf<[Tile_Element, Tile_Fragment]>:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source `dims` `=` $dims attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure, SameOperandsAndResultShape,
    SameOperandsAndResultElementType]> {
  let summary = "the same tile in another layout";
  let arguments = (ins Tile_Fragment:$source);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasFolder = 1;
}

#endif // TILEC_TILE_SHAPE_OPS_TD

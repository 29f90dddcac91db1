//===- TileCastOps.td - conversions to and from 8-bit floats --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_CAST_OPS_TD
#define TILEC_TILE_CAST_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "converts between e4m3 or e5m2 and f32, f16, bf16 or each other, to nearest even";
  let description = [{
    The shapes agree, and at least one side is an 8-bit float; other pairs use `arith`. Where the result
    is 8 bits wide, a value past its largest finite one becomes, with `saturate`, that largest one, and
    without it NaN in e4m3 (which has no infinity) and infinity in e5m2; infinities count as such values.
    NaN stays NaN. Scalars are converted as well.

    ```mlir
    %q = tile.cast %x {saturate} : tensor<64x128xf32> to tensor<64x128xf8E4M3FN>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_Element, Tile_Fragment]>:$source, UnitAttr:$saturate);
  let results = (outs AnyTypeOf<[Tile_Element, Tile_Fragment]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

#endif // TILEC_TILE_CAST_OPS_TD

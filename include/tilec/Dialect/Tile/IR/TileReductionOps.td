//===- TileReductionOps.td - reductions along an axis ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_REDUCTION_OPS_TD
#define TILEC_TILE_REDUCTION_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "combines the elements along one axis";
  let description = [{
    The result lacks `axis`; a tile of rank 1 gives a scalar. max, min and absmax ignore NaN unless
    all elements are NaN; any and all take i1. `partial` (used between passes) stops at the warp or at
    the thread: the result has one more last axis with one element per warp, or per thread, that
    holds part of `axis`. Its layout says which: what moves along the last axis is not combined.

    ```mlir
    %m = tile.reduce max %s axis = 1 : tensor<64x128xf32> to tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Fragment:$source, I64Attr:$axis, UnitAttr:$partial);
  let results = (outs AnyTypeOf<[Tile_Element, Tile_Fragment]>:$result);
  let assemblyFormat = "$kind $source `axis` `=` $axis attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

#endif // TILEC_TILE_REDUCTION_OPS_TD

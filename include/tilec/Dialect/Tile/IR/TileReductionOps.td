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
    all elements are NaN; any and all take i1. argmax gives the index (i32) of the largest element, the
    lowest one among equals; NaN is never the largest, and 0 results if all elements are NaN. `partial` (used between passes) stops at the warp or at
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

def Tile_ScanOp : Tile_Op<"scan", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "combines each element with those before it along one axis";
  let description = [{
    Element i of the result combines elements 0..i of the source; 0..i-1 with `exclusive` (the first is
    the identity: 0 for sum, the lowest value of the type for max), and those from i to the end (from
    i+1 with `exclusive`) with `reverse`. Sums of floats may associate in any order.

    `start` (used between passes) is what each warp's part of the axis starts from: laid out as the
    partial reduction that stops at the warp.

    ```mlir
    %p = tile.scan sum %x axis = 0 {exclusive} : tensor<256xi32>
    ```
  }];
  let arguments = (ins Tile_ScanKindAttr:$kind, Tile_Fragment:$source, Optional<Tile_Fragment>:$start,
                       I64Attr:$axis, UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $kind $source (`from` $start^ `:` type($start))? `axis` `=` $axis attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

#endif // TILEC_TILE_REDUCTION_OPS_TD

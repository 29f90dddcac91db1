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

def Tile_SplitOp : Tile_Op<"split", [Pure, SameOperandsAndResultElementType]> {
  let summary = "takes one axis apart into two: element i becomes (i / inner, i % inner)";
  let description = [{
    Axis `axis` of the source becomes axes `axis` and `axis + 1` of the result; the product of their
    extents is its extent.
    Example: `%y = tile.split %x axis = 1 : tensor<64x128xf32> to tensor<64x64x2xf32>`
  }];
  let arguments = (ins Tile_Fragment:$source, I64Attr:$axis);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source `axis` `=` $axis attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, SameOperandsAndResultElementType]> {
  let summary = "makes one axis of two neighbours: (i, j) becomes i * inner + j; the inverse of split";
  let description = "Axes `axis` and `axis + 1` of the source become axis `axis` of the result.";
  let arguments = (ins Tile_Fragment:$source, I64Attr:$axis);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source `axis` `=` $axis attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_PermuteOp : Tile_Op<"permute", [Pure, SameOperandsAndResultElementType]> {
  let summary = "reorders the axes: axis k of the result is axis `dims[k]` of the source";
  let arguments = (ins Tile_Fragment:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source `dims` `=` $dims attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_TakeOp : Tile_Op<"take", [Pure]> {
  let summary = "the elements at one static position of an axis, which the result lacks";
  let description = [{
    A source of rank 1 gives a scalar.
    Example: `%even = tile.take %y axis = 2 at 0 : tensor<64x64x2xf32> to tensor<64x64xf32>`
  }];
  let arguments = (ins Tile_Fragment:$source, I64Attr:$axis, I64Attr:$position);
  let results = (outs AnyTypeOf<[Tile_Element, Tile_Fragment]>:$result);
  let assemblyFormat = "$source `axis` `=` $axis `at` $position attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_StackOp : Tile_Op<"stack", [Pure, SameTypeOperands]> {
  let summary = "puts equal tiles beside each other along a new axis; the inverse of take";
  let description = [{
    Axis `axis` of the result has one position for each source, in their order.
    Example: `%y = tile.stack %a, %b axis = 2 : tensor<64x64xf32> to tensor<64x64x2xf32>`
  }];
  let arguments = (ins Variadic<Tile_Fragment>:$sources, I64Attr:$axis);
  let results = (outs Tile_Fragment:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // TILEC_TILE_SHAPE_OPS_TD

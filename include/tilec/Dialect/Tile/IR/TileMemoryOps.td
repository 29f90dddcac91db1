//===- TileMemoryOps.td - windows, shared tiles, and moving data ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_MEMORY_OPS_TD
#define TILEC_TILE_MEMORY_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

def Tile_WindowOp : Tile_Op<"window", [Pure, AttrSizedOperandSegments]> {
  let summary = "a rectangle of a global tensor, with run-time limits";
  let description = [{
    One offset per dimension of the tensor. Axis k of the window runs over dimension `dims[k]`;
    the other dimensions are fixed at their offset. `upto` gives one exclusive limit per window
    axis, in the tensor's coordinates. An element is *there* iff every coordinate c (also of the
    fixed dimensions) has 0 <= c < min(extent, limit). Reads of what is not there give the pad
    value, writes there are dropped. Offsets and limits may be negative or past the end.

    ```mlir
    %w = tile.window %q[%b, %h, %row, %zero] dims = [2, 3] upto [%len, %d]
       : !tile.global<?x?x?x128xbf16> to !tile.window<64x128xbf16>
    ```
  }];
  let arguments = (ins Tile_GlobalType:$source, Variadic<I64>:$offsets, Variadic<I64>:$limits,
                       DenseI64ArrayAttr:$dims);
  let results = (outs Tile_WindowType:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` `dims` `=` $dims (`upto` `[` $limits^ `]`)? attr-dict
    `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_AllocSharedOp : Tile_Op<"alloc_shared"> {
  let summary = "a tile in shared memory; allocated in a loop it lives for one iteration";
  let description = "Contents are undefined until written. `offset` (bytes) is set by `tile-allocate-shared`.";
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<Tile_SharedType, "", [MemAlloc]>:$result);
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "a rectangle of a shared tile, as a copy's target, a load's source or a product's operand";
  let description = [{
    One i64 offset per axis; the rectangle has to lie inside the tile (not checked at run time). What an
    offset is a multiple of is found by analysis: a matrix operand needs whole swizzle atoms (8 rows).
    The result may lack leading axes of the tile; along those it is at their offset.

    ```mlir
    %page = tile.slice %keys[%row, %zero] : !tile.shared<128x64xbf16> to !tile.shared<32x64xbf16>
    %half = tile.slice %pair[%one, %zero, %zero] : !tile.shared<2x64x64xbf16> to !tile.shared<64x64xbf16>
    ```
  }];
  let arguments = (ins Tile_SharedType:$source, Variadic<I64>:$offsets);
  let results = (outs Tile_SharedType:$result);
  let assemblyFormat = "$source `[` $offsets `]` attr-dict `:` type($source) `to` type($result)";
  let extraClassDeclaration = [{
    /// Extents of the part along the tile's axes: 1 along those that the result lacks.
    ::llvm::SmallVector<int64_t> getSizes();
  }];
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy"> {
  let summary = "copies between a window and a shared tile, or two shared tiles";
  let description = [{
    Shapes and element types agree; a shared tile may have leading axes of a window put together, since
    both are row-major: `<4x16x64>` fills `<64x64>`. `pad` is what elements that are not there read as (0 if absent),
    in shared memory too.
    Example: `tile.copy %w, %s : !tile.window<64x128xbf16> to !tile.shared<64x128xbf16>`
  }];
  let arguments = (ins Arg<Tile_Memory, "", [MemRead]>:$source, Arg<Tile_Memory, "", [MemWrite]>:$target,
                       OptionalAttr<TypedAttrInterface>:$pad);
  let assemblyFormat = "$source `,` $target (`pad` $pad^)? attr-dict `:` type($source) `to` type($target)";
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_Op<"load"> {
  let summary = "reads a window or a shared tile into a fragment";
  let description = "Example: `%f = tile.load %w pad 0xFF800000 : f32 : !tile.window<64xf32> to tensor<64xf32>`";
  let arguments = (ins Arg<Tile_Memory, "", [MemRead]>:$source, OptionalAttr<TypedAttrInterface>:$pad);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source (`pad` $pad^)? attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "writes a fragment to a window or a shared tile";
  let arguments = (ins Tile_Fragment:$value, Arg<Tile_Memory, "", [MemWrite]>:$target);
  let assemblyFormat = "$value `,` $target attr-dict `:` type($value) `to` type($target)";
  let hasVerifier = 1;
}

def Tile_LoadScalarOp : Tile_Op<"load_scalar"> {
  let summary = "reads one element of a global tensor or a shared tile, the same one in every thread";
  let description = [{
    One i64 index per dimension; outside a tensor the value is `pad` (0 if absent). Indices of a shared
    tile have to lie inside.
  }];
  let arguments = (ins Arg<Tile_ElementMemory, "", [MemRead]>:$source, Variadic<I64>:$indices,
                       OptionalAttr<TypedAttrInterface>:$pad);
  let results = (outs Tile_Element:$result);
  let assemblyFormat = "$source `[` $indices `]` (`pad` $pad^)? attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_StoreScalarOp : Tile_Op<"store_scalar"> {
  let summary = "writes one element of a global tensor (dropped outside) or a shared tile, once per CTA";
  let arguments = (ins Tile_Element:$value, Arg<Tile_ElementMemory, "", [MemWrite]>:$target, Variadic<I64>:$indices);
  let assemblyFormat = "$value `,` $target `[` $indices `]` attr-dict `:` type($value) `to` type($target)";
  let hasVerifier = 1;
}

#endif // TILEC_TILE_MEMORY_OPS_TD

//===- TileGatherOps.td - rows and elements at computed indices -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_GATHER_OPS_TD
#define TILEC_TILE_GATHER_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

// Common to all: `memory` has the tile's shape. Along `axis` the position of an element is replaced by
// its index: the coordinate of element i is the window's offset + index[i]. An index of rank 1 runs along
// `axis` (whole rows), one of the tile's rank gives each element its own. What is not there (also a
// negative index) and what the mask excludes reads as the pad value and is not written. Masks have the
// index's shape. In a shared tile an index outside of it is not there either.

def Tile_GatherOp : Tile_Op<"gather"> {
  let summary = "reads rows or elements at an index tile into a fragment";
  let description = [{
    ```mlir
    %r = tile.gather %w[%rows] axis = 0 where %there
       : !tile.window<64x128xbf16>, tensor<64xi32> to tensor<64x128xbf16>
    ```
  }];
  let arguments = (ins Arg<Tile_Memory, "", [MemRead]>:$source, Tile_Fragment:$index,
                       Optional<Tile_Fragment>:$mask, I64Attr:$axis,
                       OptionalAttr<TypedAttrInterface>:$pad);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $source `[` $index `]` `axis` `=` $axis (`where` $mask^ `:` type($mask))? (`pad` $pad^)? attr-dict
    `:` type($source) `,` type($index) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_GatherCopyOp : Tile_Op<"gather_copy"> {
  let summary = "copies the rows at an index tile into a shared tile, for a matrix product to read";
  let description = "The index has rank 1. Example: `tile.gather_copy %w[%rows], %s axis = 0 : ...`";
  let arguments = (ins Arg<Tile_WindowType, "", [MemRead]>:$source, Tile_Fragment:$index,
                       Arg<Tile_SharedType, "", [MemWrite]>:$target,
                       Optional<Tile_Fragment>:$mask, I64Attr:$axis,
                       OptionalAttr<TypedAttrInterface>:$pad);
  let assemblyFormat = [{
    $source `[` $index `]` `,` $target `axis` `=` $axis (`where` $mask^ `:` type($mask))? (`pad` $pad^)?
    attr-dict `:` type($source) `,` type($index) `to` type($target)
  }];
  let hasVerifier = 1;
}

def Tile_ScatterOp : Tile_Op<"scatter"> {
  let summary = "writes the rows or elements of a fragment at an index tile";
  let description = "Which of several writes to one element stays is not defined.";
  let arguments = (ins Tile_Fragment:$value, Arg<Tile_Memory, "", [MemWrite]>:$target,
                       Tile_Fragment:$index, Optional<Tile_Fragment>:$mask, I64Attr:$axis);
  let assemblyFormat = [{
    $value `,` $target `[` $index `]` `axis` `=` $axis (`where` $mask^ `:` type($mask))? attr-dict
    `:` type($value) `,` type($index) `to` type($target)
  }];
  let hasVerifier = 1;
}

#endif // TILEC_TILE_GATHER_OPS_TD

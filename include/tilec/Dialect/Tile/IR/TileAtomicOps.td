//===- TileAtomicOps.td - atomic operations and fences --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_ATOMIC_OPS_TD
#define TILEC_TILE_ATOMIC_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

// Kinds: add, max, min, and, or, exch, cas, on i32 and i64 and, for add, max, min and exch, on f32. `old` is
// what was there before. `cas` writes `value` where memory holds `compare`. Relaxed at the GPU's scope
// unless said otherwise.

def Tile_AtomicOp : Tile_Op<"atomic", [AttrSizedOperandSegments]> {
  let summary = "combines each element of a fragment with memory, atomically and exactly once";
  let description = [{
    Without an index the tile lies in `target` as in a store; with one, its elements go where
    `tile.scatter` would write them, and equal indices combine. Excluded and absent elements have no
    effect, and their `old` is 0.

    ```mlir
    tile.atomic add %ones, %bins[%digit] axis = 0 where %live : tensor<1024xi1>
      : tensor<1024xi32>, tensor<1024xi32> to !tile.shared<1024xi32>
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, Tile_Fragment:$value,
                       Arg<Tile_Memory, "", [MemRead, MemWrite]>:$target,
                       Optional<Tile_Fragment>:$index, Optional<Tile_Fragment>:$mask,
                       Optional<Tile_Fragment>:$compare, OptionalAttr<I64Attr>:$axis,
                       DefaultValuedAttr<Tile_MemoryOrderAttr, "::mlir::tile::MemoryOrder::Relaxed">:$order,
                       DefaultValuedAttr<Tile_MemoryScopeAttr, "::mlir::tile::MemoryScope::Gpu">:$scope);
  let results = (outs Optional<Tile_Fragment>:$old);
  let assemblyFormat = [{
    $kind $value `,` $target (`[` $index^ `:` type($index) `]`)? (`axis` `=` $axis^)?
    (`where` $mask^ `:` type($mask))? (`compare` $compare^ `:` type($compare))?
    (`order` `=` $order^)? (`scope` `=` $scope^)? attr-dict `:` type($value) `to` type($target)
    (`->` type($old)^)?
  }];
  let hasVerifier = 1;
}

def Tile_AtomicScalarOp : Tile_Op<"atomic_scalar", [AttrSizedOperandSegments]> {
  let summary = "one atomic operation per CTA on one element; its old value is the same in every thread";
  let description = [{
    One i64 index per dimension; no effect, and an old value of 0, outside a tensor.
    Example: `%ticket = tile.atomic_scalar add %one, %counter[%zero] : i32 to !tile.global<?xi32> -> i32`
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, Tile_Element:$value,
                       Arg<Tile_ElementMemory, "", [MemRead, MemWrite]>:$target, Variadic<I64>:$indices,
                       Optional<Tile_Element>:$compare,
                       DefaultValuedAttr<Tile_MemoryOrderAttr, "::mlir::tile::MemoryOrder::Relaxed">:$order,
                       DefaultValuedAttr<Tile_MemoryScopeAttr, "::mlir::tile::MemoryScope::Gpu">:$scope);
  let results = (outs Optional<Tile_Element>:$old);
  let assemblyFormat = [{
    $kind $value `,` $target `[` $indices `]` (`compare` $compare^ `:` type($compare))?
    (`order` `=` $order^)? (`scope` `=` $scope^)? attr-dict `:` type($value) `to` type($target)
    (`->` type($old)^)?
  }];
  let hasVerifier = 1;
}

def Tile_FenceOp : Tile_Op<"fence", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "global memory accesses of the CTA before it are ordered before those after it";
  let description = "Example: `tile.fence order = release scope = gpu`, before the flag that tells others.";
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope);
  let assemblyFormat = "`order` `=` $order `scope` `=` $scope attr-dict";
  let hasVerifier = 1;
}

#endif // TILEC_TILE_ATOMIC_OPS_TD

//===- TileMatrixOps.td - matrix products ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_MATRIX_OPS_TD
#define TILEC_TILE_MATRIX_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"

def Tile_GemmOp : Tile_Op<"gemm", [AllTypesMatch<["acc", "result"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "acc + a * b, products and sums in f32";
  let description = [{
    `a` is [M, K] ([K, M] with `transpose_a`), in shared memory or a fragment; `b` is [K, N]
    ([N, K] with `transpose_b`) in shared memory; `acc` and the result are [M, N] f32.

    ```mlir
    %s = tile.gemm %q, %k, %zero {transpose_b}
       : !tile.shared<64x128xbf16>, !tile.shared<128x128xbf16>, tensor<64x128xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_SharedType, Tile_Fragment]>:$a, Tile_SharedType:$b,
                       Tile_Fragment:$acc, UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$a `,` $b `,` $acc attr-dict `:` type($a) `,` type($b) `,` type($acc)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getM() { return getAcc().getType().getDimSize(0); }
    int64_t getN() { return getAcc().getType().getDimSize(1); }
    int64_t getK();
    Type getOperandElementType() { return getB().getType().getElementType(); }
  }];
}

#endif // TILEC_TILE_MATRIX_OPS_TD

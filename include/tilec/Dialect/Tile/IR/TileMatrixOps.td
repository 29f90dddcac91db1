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

    Grouped, with a `b` of G matrices, [G, K, N] ([G, N, K] with `transpose_b`): the rows of `a` are G
    equal runs, and run g is multiplied by matrix g.

    ```mlir
    %s = tile.gemm %q, %k, %zero {transpose_b}
       : !tile.shared<64x128xbf16>, !tile.shared<128x128xbf16>, tensor<64x128xf32>
    // Rows 0..63 of %q by the first 96 keys, rows 64..127 by the others.
    %t = tile.gemm %q, %k, %zero {transpose_b}
       : !tile.shared<128x64xbf16>, !tile.shared<2x96x64xbf16>, tensor<128x96xf32>
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
    /// Matrices of `b`: 1 if it is not grouped.
    int64_t getGroups() { return getB().getType().getShape().size() == 3 ? getB().getType().getShape()[0] : 1; }
    bool isGrouped() { return getB().getType().getShape().size() == 3; }
    Type getOperandElementType() { return getB().getType().getElementType(); }
  }];
}

def Tile_AgainOp : Tile_Op<"again", [Pure, AllTypesMatch<["value", "result"]>, SingleBlock]> {
  let summary = "`value`, and how to compute it once more";
  let description = [{
    The body reads tensors that the kernel does not write, exchanges nothing between warps, and yields what `value`
    is, but for rounding. It costs nothing unless a pass puts it where `value` is wanted and no longer held
    (`sm-presume-reference`); otherwise it is dropped.

    ```mlir
    %t = tile.again %s {
      %r = scf.for ... // a row of keys times a row of queries, element by element
      tile.yield %r : tensor<64x128xf32>
    } : tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Tile_Fragment:$value);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$value $body attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Terminator, Pure, HasParent<"AgainOp">]> {
  let summary = "what the body of `tile.again` computes";
  let arguments = (ins Tile_Fragment:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // TILEC_TILE_MATRIX_OPS_TD

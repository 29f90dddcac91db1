//===- SMMatrixOps.td - matrix instructions -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_MATRIX_OPS_TD
#define TILEC_SM_MATRIX_OPS_TD

include "tilec/Dialect/SM/IR/SMOpBase.td"

/// Takes values that stay in registers while matrix instructions are in flight and hands them on.
class SM_TiedOp<string mnemonic> : SM_Op<mnemonic, [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let results = (outs Variadic<SM_InFlight>:$results);
}

def SM_WgmmaFenceOp : SM_TiedOp<"wgmma_fence"> {
  let summary = "register writes before it are seen by the `sm.wgmma`s after it; results are the operands";
  let description = [{
    Operands are the A registers and accumulators that were just written: code that writes them
    cannot move below the fence, because the `sm.wgmma`s use the results.
    Example: `sm.wgmma_fence` or `%b = sm.wgmma_fence of %a : vector<4xi32>`
  }];
  let arguments = (ins Variadic<SM_InFlight>:$values);
  let assemblyFormat = "(`of` $values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
}

def SM_WgmmaOp : SM_Op<"wgmma", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "starts acc + a * b on a warpgroup's tensor cores, 64 x n x k";
  let description = [{
    All four warps of a warpgroup execute it together. n is twice the accumulator's length (f32): a
    multiple of 8 up to 256; k is 16 for 16-bit `type`s and 32 for 8-bit ones. `type` is that of both
    operands; `type_b` that of `b` where the two 8-bit types are mixed. `a` is a shared-memory
    descriptor (i64) or four registers, `b` a descriptor. `transpose_a`, `transpose_b`: that
    operand's descriptor is MN-major (16-bit types only). With `init` the accumulator's old value is
    not read. The result may be used as another `sm.wgmma`'s accumulator, or after `sm.wgmma_wait`.

    ```mlir
    %r = sm.wgmma %acc, %a, %b {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
    ```
  }];
  let arguments = (ins SM_F32Vector:$acc, AnyTypeOf<[I64, SM_Words<4>]>:$a, I64:$b, TypeAttr:$type,
                       OptionalAttr<TypeAttr>:$type_b, UnitAttr:$transpose_a,
                       UnitAttr:$transpose_b, UnitAttr:$init);
  let results = (outs SM_F32Vector:$result);
  let assemblyFormat = "$acc `,` $a `,` $b attr-dict `:` type($acc) `,` type($a)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getN() { return 2 * getAcc().getType().getNumElements(); }
    int64_t getK() { return 256 / getType().getIntOrFloatBitWidth(); }
    /// The element type of `b`.
    Type getElementB() { return getTypeB().value_or(getType()); }
    bool hasRegisterA() { return !getA().getType().isInteger(64); }
  }];
}

def SM_WgmmaCommitOp : SM_Op<"wgmma_commit"> {
  let summary = "closes the group of the `sm.wgmma`s started since the last one";
  let description = "Example: `sm.wgmma_commit`";
  let assemblyFormat = "attr-dict";
}

def SM_WgmmaWaitOp : SM_TiedOp<"wgmma_wait"> {
  let summary = "waits until at most `pending` groups are unfinished; results are the operands, now readable";
  let description = [{
    Operands are the accumulators of the groups that this wait finishes, and the A registers that
    may be written again. Code that reads them uses the results, so it cannot move above the wait.

    ```mlir
    %r = sm.wgmma_wait %acc {pending = 0 : i64} : vector<64xf32>
    ```
  }];
  let arguments = (ins Variadic<SM_InFlight>:$values, I64Attr:$pending);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def SM_MmaOp : SM_Op<"mma", [NoMemoryEffect]> {
  let summary = "c + a * b on one warp, m16n8k16 (8-bit types: m16n8k32), f32 accumulators";
  let description = [{
    `type` is bf16, f16, f8E4M3FN or f8E5M2, `type_b` that of `b` where the two 8-bit types are mixed;
    operands hold two or four elements per register.
    Example: `%r = sm.mma %a, %b, %c {type = bf16}`
  }];
  let arguments = (ins SM_Words<4>:$a, SM_Words<2>:$b, SM_Floats<4>:$c, TypeAttr:$type,
                       OptionalAttr<TypeAttr>:$type_b);
  let results = (outs SM_Floats<4>:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The element type of `b`.
    Type getElementB() { return getTypeB().value_or(getType()); }
  }];
}

def SM_OrderOp : SM_Op<"order"> {
  let summary = "what `value` is computed from stays in front of the waits behind this operation";
  let description = [{
    ptxas may move a `sm.wgmma_wait` up over arithmetic, for which the product in flight was issued
    early. An instruction with a side effect that never happens, but depends on every element, keeps
    it down.
    Example: `sm.order %sums : vector<2xf32>`
  }];
  let arguments = (ins SM_Value:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def SM_ApartOp : SM_Op<"apart"> {
  let summary = "ends a branch whose code is not to be merged with that of the other branch";
  let description = "Costs no instruction. Example: `sm.apart`";
  let assemblyFormat = "attr-dict";
}

def SM_OpaqueOp : SM_Op<"opaque", [AllTypesMatch<["value", "result"]>]> {
  let summary = "`value`, of which nothing is known but that it is there";
  let description = [{
    Costs no instruction. What is computed from the result is not moved in front of this operation, out of a
    loop for instance.
    Example: `%r = sm.opaque %stride : i64`
  }];
  let arguments = (ins AnyTypeOf<[I32, I64]>:$value);
  let results = (outs AnyTypeOf<[I32, I64]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def SM_BehindOp : SM_Op<"behind", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "`value`, for arithmetic that stays behind the wait for a sum of products";
  let description = [{
    The counterpart of `sm.order`: ptxas also moves arithmetic up over a `sm.wgmma_wait`. What is computed from the
    result needs the wait's accumulator, and stays behind it. A comparison, and a selection for each element: the result
    is `value` but where the accumulator begins with a NaN that no product gives.
    Example: `%r = sm.behind %maximum of %sum : vector<2xf32>, vector<64xf32>`
  }];
  let arguments = (ins SM_F32Vector:$value, SM_F32Vector:$sum);
  let results = (outs SM_F32Vector:$result);
  let assemblyFormat = "$value `of` $sum attr-dict `:` type($value) `,` type($sum)";
}

def SM_AgainOp : SM_Op<"again", [Pure, AllTypesMatch<["value", "result"]>, SingleBlock]> {
  let summary = "`value`, and how to compute it once more: `tile.again` for one thread";
  let description = [{
    Is dropped by `sm-presume-reference`.
    Example: `%t = sm.again %s { ... sm.yield %r : vector<64xf32> } : vector<64xf32>`
  }];
  let arguments = (ins SM_F32Vector:$value);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs SM_F32Vector:$result);
  let assemblyFormat = "$value $body attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def SM_YieldOp : SM_Op<"yield", [Terminator, Pure, HasParent<"AgainOp">]> {
  let summary = "what the body of `sm.again` computes";
  let arguments = (ins SM_F32Vector:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def SM_LdmatrixOp : SM_Op<"ldmatrix"> {
  let summary = "reads 1, 2 or 4 matrices of 8 rows of 16 bytes; lane 8i+r gives the address of row r of matrix i";
  let description = [{
    Register i of the result holds matrix i: row lane/4, 16-bit elements 2*(lane%4) and the next one;
    with `transpose` rows and columns change places.
    Example: `%r = sm.ldmatrix %address {transpose} : vector<4xi32>`
  }];
  let arguments = (ins Arg<I32, "", [MemRead]>:$address, UnitAttr:$transpose);
  let results = (outs SM_WordVector:$result);
  let assemblyFormat = "$address attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def SM_StmatrixOp : SM_Op<"stmatrix"> {
  let summary = "writes 1, 2 or 4 matrices of 8 rows of 16 bytes: the inverse of `sm.ldmatrix`";
  let description = "Example: `sm.stmatrix %v, %address : vector<4xi32>`";
  let arguments = (ins SM_WordVector:$value, Arg<I32, "", [MemWrite]>:$address, UnitAttr:$transpose);
  let assemblyFormat = "$value `,` $address attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // TILEC_SM_MATRIX_OPS_TD

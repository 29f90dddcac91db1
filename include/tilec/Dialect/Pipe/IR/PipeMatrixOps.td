//===- PipeMatrixOps.td - matrix products in flight -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPE_MATRIX_OPS_TD
#define TILEC_PIPE_MATRIX_OPS_TD

include "tilec/Dialect/Pipe/IR/PipeOpBase.td"

def Pipe_MmaOp : Pipe_Op<"mma", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "starts acc + a * b on the tensor cores";
  let description = [{
    Operands as of `tile.gemm`. One group of wgmma; groups finish in order of issue. `acc` is a
    fragment, or an accumulator still in flight. Its effects: it reads its shared operands, and it
    takes its place in the order of issue, so no product is dropped, merged or moved past another.

    ```mlir
    %s = pipe.mma %q, %k, %zero {transpose_b}
       : !tile.shared<64x128xbf16>, !tile.shared<96x128xbf16>, tensor<64x96xf32, #acc>
      -> !pipe.inflight<tensor<64x96xf32, #acc>>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_SharedType, Tile_Fragment]>:$a, Tile_SharedType:$b,
                       AnyTypeOf<[Tile_Fragment, Pipe_InflightType]>:$acc, UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Pipe_InflightType:$result);
  let assemblyFormat = "$a `,` $b `,` $acc attr-dict `:` type($a) `,` type($b) `,` type($acc) `->` type($result)";
  let hasVerifier = 1;
}

def Pipe_MmaWaitOp : Pipe_Op<"mma_wait"> {
  let summary = "waits until at most `pending` younger groups are unfinished; gives the finished accumulator";
  let description = [{
    Example: `%t = pipe.mma_wait %s pending 1 : !pipe.inflight<tensor<64x96xf32, #acc>>`
  }];
  let arguments = (ins Pipe_InflightType:$inflight, I64Attr:$pending);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$inflight `pending` $pending attr-dict `:` type($inflight) `->` type($result)";
  let hasVerifier = 1;
}

def Pipe_MmaDrainOp : Pipe_Op<"mma_drain"> {
  let summary = "waits until at most `pending` groups are unfinished, whatever they compute";
  let description = [{
    What older groups read may be overwritten afterwards; their accumulators stay in flight, because
    a younger group goes on with them. Example: `pipe.mma_drain pending 1`
  }];
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "`pending` $pending attr-dict";
}

def Pipe_OrderOp : Pipe_Op<"order"> {
  let summary = "what `value` is computed from is computed in front of the next wait";
  let description = [{
    The elementwise work that a product in flight was issued to cover must not move behind the wait
    for it. Example: `pipe.order %sums : tensor<64x4xf32, #sums>`
  }];
  let arguments = (ins Tile_Fragment:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // TILEC_PIPE_MATRIX_OPS_TD

//===- Passes.td - conversions between dialects -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_CONVERSION_PASSES_TD
#define TILEC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToSMPass : Pass<"convert-tile-to-sm", "::mlir::ModuleOp"> {
  let summary = "per-thread code from laid-out tiles";
  let description = [{
    Every thread does everything: the simple path. Input is `tile` after layouts, shared-memory
    offsets, barriers and fences were put in.

    1. A kernel becomes a `func.func` with the launcher's flat arguments: per tensor its address, its
       extents and the strides of all axes but the last; scalars; then the launch-time dimensions.
    2. A fragment becomes a vector of the thread's registers, in the order of its layout. `arith` and
       `math` on fragments become the same operations on vectors; approximations become `sm`.
    3. A window becomes an address, strides, and per axis the range of coordinates that are there.
       Where that range may be less than the window, a uniform test picks code without predicates for
       windows that are there completely.
    4. A shared tile becomes its address; accesses follow its swizzle.
    5. A gemm becomes wgmma where its accumulator's layout spans warpgroups, mma.sync otherwise.

    Each copy from a window into shared memory is one group of `sm.cp_async`; the waits were placed
    by `tile-insert-barriers-and-fences`.

    ```mlir
    %p = math.exp2 %s : tensor<64x128xf32, #acc>
    // becomes
    %p = sm.exp2 %s : vector<64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::sm::SMDialect", "::mlir::vector::VectorDialect"];
}

#endif // TILEC_CONVERSION_PASSES_TD

// RUN: tile-opt %s -tile-verify-kernel | FileCheck %s
// RUN: tile-opt %s -tile-verify-kernel --remarks-filter=pipeline --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Every kind of parameter, and expressions over the dimensions.
// CHECK-LABEL: tile.kernel @all_kinds
tile.kernel @all_kinds(%x: !tile.global<?x64xbf16>, %y: !tile.global<?xi32>, %z: !tile.global<?x?xf8E4M3FN>, %scale: f32, %n: i64)
  attributes {tile.launch = {
    source = "all_kinds", dims = ["rows", "heads"], facts = [{dim = "rows", multiple_of = 64 : i64}],
    grid = ["ceildiv(rows, 64)", "min(heads, sm_count())"],
    groups = [{members = "rows * 2", groups = "heads"}],
    params = [
      {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["rows", "64"], aligned},
      {name = "y", kind = "tensor", access = "inout", dtype = "i32", extents = ["rows * heads"]},
      {name = "z", kind = "tensor", access = "workspace", dtype = "e4m3", extents = ["heads", "rows + 1"]},
      {name = "scale", kind = "scalar", dtype = "f32", positive},
      {name = "n", kind = "scalar", dtype = "i64"}]}} {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %l = tile.load %w : !tile.window<64x64xbf16> to tensor<64x64xbf16>
  %v = tile.load_scalar %y[%n] : !tile.global<?xi32> to i32
  tile.store_scalar %v, %y[%n] : i32 to !tile.global<?xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @idle_pipeline
tile.kernel @idle_pipeline(%n: i64) attributes {tile.launch = {
    source = "idle_pipeline", dims = [], grid = ["1"], params = [{name = "n", kind = "scalar", dtype = "i64"}]}} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // REMARK: pipelined has no effect: the loop copies nothing to shared memory
  scf.for %i = %c0 to %n step %c1 : i64 {
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @debug(
tile.kernel @debug(%x: f32, %i: i64, %ok: i1) {
  // CHECK: tile.print %{{.*}} "x" : f32
  tile.print %x "x" : f32
  %t = tile.broadcast %x dims = [] : f32 to tensor<8x3xf32>
  // CHECK: tile.print %{{.*}} "100% \22t\22" : tensor<8x3xf32>
  tile.print %t "100% \"t\"" : tensor<8x3xf32>
  // CHECK: tile.check %{{.*}} "an index is out of range" : i1
  tile.check %ok "an index is out of range" : i1
  %all = tile.broadcast %ok dims = [] : i1 to tensor<8xi1>
  // CHECK: tile.check %{{.*}} "all" : tensor<8xi1>
  tile.check %all "all" : tensor<8xi1>
  // CHECK: %[[FIRST:.*]] = tile.program_id
  %first = tile.program_id
  // CHECK: %[[STEP:.*]] = tile.num_programs
  %step = tile.num_programs
  // CHECK: scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %[[STEP]]
  scf.for %item = %first to %i step %step : i64 {
    tile.print %item "item" : i64
  } {tile.tile_loop}
  // CHECK: {tile.tile_loop}
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// RUN: tile-opt %s -canonicalize | FileCheck %s --check-prefix=FOLD

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 3]], warps = []>
#row = #tile.frag<reg = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], repeat = [[0, 2], [1, 3]], warps = []>

// CHECK-LABEL: tile.kernel @convert
// CHECK: tile.convert_layout %{{.*}} : tensor<64x24xf32, #{{.*}}> to tensor<64x24xf32, #{{.*}}>
// There and back is nothing.
// FOLD-LABEL: tile.kernel @convert
// FOLD-NOT: tile.convert_layout
// FOLD: tile.store
tile.kernel @convert(%x: !tile.global<?x24xf32>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x24xf32> to !tile.window<64x24xf32>
  %l = tile.load %w : !tile.window<64x24xf32> to tensor<64x24xf32, #acc>
  %there = tile.convert_layout %l : tensor<64x24xf32, #acc> to tensor<64x24xf32, #row>
  %back = tile.convert_layout %there : tensor<64x24xf32, #row> to tensor<64x24xf32, #acc>
  tile.store %back, %w : tensor<64x24xf32, #acc> to !tile.window<64x24xf32>
  tile.return
}

// Loop attributes of the author survive.
// CHECK-LABEL: tile.kernel @pipelined
tile.kernel @pipelined(%lo: i64, %hi: i64, %step: i64) {
  // CHECK: {tile.pipeline = #tile.pipeline<stages = 2>}
  scf.for %i = %lo to %hi step %step : i64 {
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

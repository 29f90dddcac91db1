// RUN: tile-opt %s -tile-optimize-conversions | FileCheck %s
// RUN: tile-opt %s -tile-optimize-conversions --remarks-filter=layout --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Rows of a tile over four warps, and the same rows spread over the lanes differently.
#a = #tile.frag<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [], warps = [[-1, 4]]>
#b = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [[0, 2]], warps = [[-1, 4]]>
#c = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 2], [-1, 2]]>

// CHECK-DAG: #[[B:.*]] = #tile.frag<reg = [], lane = {{.*}}, repeat = {{\[}}[0, 2]], {{.*}}>
// CHECK-DAG: #[[C:.*]] = #tile.frag<reg = [], lane = {{.*}}, warps = {{\[}}[0, 2], [-1, 2]]>

// CHECK-LABEL: tile.kernel @twice
// CHECK: tile.convert_layout %{{.*}} : tensor<64xf32, #{{.*}}> to tensor<64xf32, #[[C]]>
// CHECK-NOT: tile.convert_layout
tile.kernel @twice(%w: !tile.global<?xf32>, %o: i64) {
  %x = tile.window %w[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %l = tile.load %x : !tile.window<64xf32> to tensor<64xf32, #a>
  %m = tile.convert_layout %l : tensor<64xf32, #a> to tensor<64xf32, #b>
  %n = tile.convert_layout %m : tensor<64xf32, #b> to tensor<64xf32, #c>
  tile.store %n, %x : tensor<64xf32, #c> to !tile.window<64xf32>
  tile.return
}

// Positions are cheaper to make again than to move.
// CHECK-LABEL: tile.kernel @recompute
// CHECK-NOT: tile.convert_layout
// CHECK: %[[IOTA:.*]] = tile.iota : tensor<64xi32, #[[B]]>
// CHECK: %[[START:.*]] = tile.broadcast {{.*}} to tensor<64xi32, #[[B]]>
// CHECK: %[[POSITION:.*]] = arith.addi %[[IOTA]], %[[START]] : tensor<64xi32, #[[B]]>
// CHECK: tile.store %[[POSITION]]
tile.kernel @recompute(%w: !tile.global<?xi32>, %o: i64, %start: i32) {
  %x = tile.window %w[%o] dims = [0] : !tile.global<?xi32> to !tile.window<64xi32>
  %i = tile.iota : tensor<64xi32, #a>
  %s = tile.broadcast %start dims = [] : i32 to tensor<64xi32, #a>
  %p = arith.addi %i, %s : tensor<64xi32, #a>
  %n = tile.convert_layout %p : tensor<64xi32, #a> to tensor<64xi32, #b>
  tile.store %n, %x : tensor<64xi32, #b> to !tile.window<64xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @narrow
// CHECK: %[[NARROW:.*]] = tile.convert_layout {{.*}} : tensor<64xbf16, #{{.*}}> to tensor<64xbf16, #[[B]]>
// CHECK: arith.extf %[[NARROW]] : tensor<64xbf16, #[[B]]> to tensor<64xf32, #[[B]]>
tile.kernel @narrow(%v: !tile.global<?xbf16>, %w: !tile.global<?xf32>, %o: i64) {
  %y = tile.window %v[%o] dims = [0] : !tile.global<?xbf16> to !tile.window<64xbf16>
  %x = tile.window %w[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %l = tile.load %y : !tile.window<64xbf16> to tensor<64xbf16, #a>
  %e = arith.extf %l : tensor<64xbf16, #a> to tensor<64xf32, #a>
  %n = tile.convert_layout %e : tensor<64xf32, #a> to tensor<64xf32, #b>
  tile.store %n, %x : tensor<64xf32, #b> to !tile.window<64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @hoist_and_merge
// CHECK: %[[MOVED:.*]] = tile.convert_layout
// CHECK-NOT: tile.convert_layout
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tile.store %[[MOVED]]
// CHECK: tile.store %[[MOVED]]
tile.kernel @hoist_and_merge(%w: !tile.global<?xf32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %x = tile.window %w[%n] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %l = tile.load %x : !tile.window<64xf32> to tensor<64xf32, #a>
  scf.for %i = %c0 to %n step %c1 : i64 {
    scf.for %j = %c0 to %n step %c1 : i64 {
      %m = tile.convert_layout %l : tensor<64xf32, #a> to tensor<64xf32, #b>
      tile.store %m, %x : tensor<64xf32, #b> to !tile.window<64xf32>
      %o = tile.convert_layout %l : tensor<64xf32, #a> to tensor<64xf32, #b>
      tile.store %o, %x : tensor<64xf32, #b> to !tile.window<64xf32>
    }
  }
  tile.return
}

// What changes in the loop stays there.
// REMARK: layout conversion of 256 bytes, through shared memory within warps, loop depth 1
// CHECK-LABEL: tile.kernel @stays
// CHECK: scf.for
// CHECK: tile.convert_layout
tile.kernel @stays(%w: !tile.global<?xf32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    %x = tile.window %w[%i] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
    %l = tile.load %x : !tile.window<64xf32> to tensor<64xf32, #a>
    %m = tile.convert_layout %l : tensor<64xf32, #a> to tensor<64xf32, #c>
    tile.store %m, %x : tensor<64xf32, #c> to !tile.window<64xf32>
  }
  tile.return
}

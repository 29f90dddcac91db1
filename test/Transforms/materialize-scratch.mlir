// RUN: tile-opt %s -split-input-file -tile-materialize-scratch | FileCheck %s

#rows = #tile.frag<reg = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [], repeat = [[0, 8]], warps = [[0, 4]]>
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>

// CHECK-LABEL: tile.kernel @through_shared
// CHECK: %[[S:.*]] = tile.alloc_shared : <64x64xf32, #tile.swizzle<128>>
// CHECK-NEXT: tile.store %[[X:.*]], %[[S]] : tensor<64x64xf32, #[[ROWS:.*]]> to
// CHECK-NEXT: tile.load %[[S]] : {{.*}} to tensor<64x64xf32, #[[ACC:.*]]>
// CHECK-NOT: tile.convert_layout
tile.kernel @through_shared(%w: !tile.global<?x64xf32>, %o: i64) {
  %x = tile.window %w[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %l = tile.load %x : !tile.window<64x64xf32> to tensor<64x64xf32, #rows>
  %m = tile.convert_layout %l : tensor<64x64xf32, #rows> to tensor<64x64xf32, #acc>
  tile.store %m, %x : tensor<64x64xf32, #acc> to !tile.window<64x64xf32>
  tile.return
}

// -----

#rows = #tile.frag<reg = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [], repeat = [[0, 8]], warps = [[0, 4]]>
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>

// A mask travels as bytes.
// CHECK-LABEL: tile.kernel @mask
// CHECK: arith.extui {{.*}} : tensor<64x64xi1, #{{.*}}> to tensor<64x64xi8, #{{.*}}>
// CHECK: tile.alloc_shared : <64x64xi8, #tile.swizzle<64>>
// CHECK: arith.trunci {{.*}} : tensor<64x64xi8, #{{.*}}> to tensor<64x64xi1, #{{.*}}>
tile.kernel @mask(%w: !tile.global<?x64xi1>, %o: i64) {
  %x = tile.window %w[%o, %o] dims = [0, 1] : !tile.global<?x64xi1> to !tile.window<64x64xi1>
  %l = tile.load %x : !tile.window<64x64xi1> to tensor<64x64xi1, #rows>
  %m = tile.convert_layout %l : tensor<64x64xi1, #rows> to tensor<64x64xi1, #acc>
  tile.store %m, %x : tensor<64x64xi1, #acc> to !tile.window<64x64xi1>
  tile.return
}

// -----

// The order of registers within a thread changes: no memory.
#a = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = [[0, 4]]>
#b = #tile.frag<reg = [[8, 0], [0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = [[0, 4]]>

// CHECK-LABEL: tile.kernel @registers_only
// CHECK-NOT: tile.alloc_shared
// CHECK: tile.convert_layout
tile.kernel @registers_only(%w: !tile.global<?x8xf32>, %o: i64) {
  %x = tile.window %w[%o, %o] dims = [0, 1] : !tile.global<?x8xf32> to !tile.window<64x8xf32>
  %l = tile.load %x : !tile.window<64x8xf32> to tensor<64x8xf32, #a>
  %m = tile.convert_layout %l : tensor<64x8xf32, #a> to tensor<64x8xf32, #b>
  tile.store %m, %x : tensor<64x8xf32, #b> to !tile.window<64x8xf32>
  tile.return
}

// -----

// Four warps split the columns: one element per row and warp goes through shared memory. The absolute
// value is taken once.
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 2]], warps = [[1, 4]]>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [], repeat = [], warps = [[-1, 4]]>

// CHECK-DAG: #[[PER_WARP:.*]] = #tile.frag<reg = {{\[}}[8, 0]], lane = {{\[}}[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = {{\[}}[1, 4]]>
// CHECK-DAG: #[[ALL:.*]] = #tile.frag<reg = {{\[}}[8, 0]], lane = {{\[}}[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], repeat = {{\[}}[1, 4]], warps = {{\[}}[-1, 4]]>
// CHECK-LABEL: tile.kernel @across_warps
// CHECK: %[[PARTIAL:.*]] = tile.reduce absmax %{{.*}} axis = 1 {partial} : tensor<16x64xf32, #{{.*}}> to tensor<16x4xf32, #[[PER_WARP]]>
// CHECK: %[[S:.*]] = tile.alloc_shared : <16x4xf32
// CHECK: tile.store %[[PARTIAL]], %[[S]]
// CHECK: %[[GATHERED:.*]] = tile.load %[[S]] : {{.*}} to tensor<16x4xf32, #[[ALL]]>
// CHECK: tile.reduce max %[[GATHERED]] axis = 1 : tensor<16x4xf32, #[[ALL]]> to tensor<16xf32, #{{.*}}>
tile.kernel @across_warps(%w: !tile.global<?x64xf32>, %v: !tile.global<?xf32>, %o: i64) {
  %x = tile.window %w[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<16x64xf32>
  %y = tile.window %v[%o] dims = [0] : !tile.global<?xf32> to !tile.window<16xf32>
  %l = tile.load %x : !tile.window<16x64xf32> to tensor<16x64xf32, #acc>
  %m = tile.reduce absmax %l axis = 1 : tensor<16x64xf32, #acc> to tensor<16xf32, #row>
  tile.store %m, %y : tensor<16xf32, #row> to !tile.window<16xf32>
  tile.return
}

// -----

// Two warpgroups of four warps each split the rows: eight elements per column.
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = [[0, 2]]>
#column = #tile.frag<reg = [[1]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]], repeat = [[0, 2]], warps = [[-1, 2]]>

// CHECK-DAG: #[[PER_WARP:.*]] = #tile.frag<reg = {{\[}}[1, 0]], lane = {{.*}}, warp = {{\[}}[0, 1], [0, 2]], repeat = {{\[}}[0, 2]], warps = {{\[}}[1, 2]]>
// CHECK-LABEL: tile.kernel @across_warpgroups
// CHECK: tile.reduce sum %{{.*}} axis = 0 {partial} : {{.*}} to tensor<16x8xf32, #[[PER_WARP]]>
// CHECK: tile.reduce sum %{{.*}} axis = 1 : tensor<16x8xf32, #{{.*}}> to tensor<16xf32, #{{.*}}>
tile.kernel @across_warpgroups(%w: !tile.global<?x16xf32>, %v: !tile.global<?xf32>, %o: i64) {
  %x = tile.window %w[%o, %o] dims = [0, 1] : !tile.global<?x16xf32> to !tile.window<128x16xf32>
  %y = tile.window %v[%o] dims = [0] : !tile.global<?xf32> to !tile.window<16xf32>
  %l = tile.load %x : !tile.window<128x16xf32> to tensor<128x16xf32, #acc>
  %m = tile.reduce sum %l axis = 0 : tensor<128x16xf32, #acc> to tensor<16xf32, #column>
  tile.store %m, %y : tensor<16xf32, #column> to !tile.window<16xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @to_scalar
// CHECK: tile.reduce any %{{.*}} axis = 0 {partial} : {{.*}} to tensor<4xi1, #{{.*}}>
// CHECK: tile.alloc_shared : <4xi8, #tile.swizzle<0>>
// CHECK: %[[R:.*]] = tile.reduce any %{{.*}} axis = 0 : tensor<4xi1, #{{.*}}> to i1
// CHECK: tile.store_scalar %[[R]]
#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>
tile.kernel @to_scalar(%w: !tile.global<?xi1>, %o: i64) {
  %x = tile.window %w[%o] dims = [0] : !tile.global<?xi1> to !tile.window<128xi1>
  %l = tile.load %x : !tile.window<128xi1> to tensor<128xi1, #line>
  %m = tile.reduce any %l axis = 0 : tensor<128xi1, #line> to i1
  tile.store_scalar %m, %w[%o] : i1 to !tile.global<?xi1>
  tile.return
}

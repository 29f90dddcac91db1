// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = []>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = []>
#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = []>
#split = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 2]]>
#partial = #tile.frag<reg = [], lane = [[0], [0], [0], [0], [0]], warp = [], repeat = [], warps = [[0, 2]]>
#perthread = #tile.frag<reg = [[8, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [], warps = []>

// Registers first, then the four lanes of a row.
// CHECK-LABEL: func.func @row_max
// CHECK: %[[X:.*]] = vector.extract %{{.*}}[0] : f32 from vector<8xf32>
// CHECK-COUNT-6: arith.maxnumf
// CHECK: %[[S:.*]] = sm.shuffle xor %[[A:.*]], %c1_i32 : f32
// CHECK: %[[A1:.*]] = arith.maxnumf %[[A]], %[[S]]
// CHECK: sm.shuffle xor %{{.*}}, %c1_i32 : f32
// CHECK: sm.shuffle xor %[[A1]], %c2_i32 : f32
// CHECK: sm.shuffle xor %{{.*}}, %c2_i32 : f32
// CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK-NOT: sm.shuffle
tile.kernel @row_max(%x: !tile.global<64x16xf32>, %out: !tile.global<64xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x16xf32> to !tile.window<64x16xf32>
  %o = tile.window %out[%zero] dims = [0] : !tile.global<64xf32> to !tile.window<64xf32>
  %a = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
  %m = tile.reduce max %a axis = 1 : tensor<64x16xf32, #acc> to tensor<64xf32, #row>
  tile.store %m, %o : tensor<64xf32, #row> to !tile.window<64xf32>
  tile.return
}

// A layout that covers more than the tile: the padding becomes 0 first.
// CHECK-LABEL: func.func @padded_sum
// CHECK: %[[LANE:.*]] = sm.lane_id
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[LANE]], %c20_i32
// CHECK: arith.select %[[IN]], %{{.*}}, %cst{{.*}} : f32
// CHECK-COUNT-5: sm.shuffle xor
tile.kernel @padded_sum(%x: !tile.global<20xf32>, %out: !tile.global<1xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<20xf32> to !tile.window<20xf32>
  %a = tile.load %w : !tile.window<20xf32> to tensor<20xf32, #line>
  %m = tile.reduce sum %a axis = 0 : tensor<20xf32, #line> to f32
  tile.store_scalar %m, %out[%zero] : f32 to !tile.global<1xf32>
  tile.return
}

// Any over i1: shuffled as words.
// CHECK-LABEL: func.func @any
// CHECK: arith.extui %{{.*}} : i1 to i32
// CHECK: sm.shuffle xor %{{.*}}, %c1_i32 : i32
// CHECK: arith.trunci %{{.*}} : i32 to i1
// CHECK: arith.ori
tile.kernel @any(%x: !tile.global<32xi1>, %out: !tile.global<1xi1>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<32xi1> to !tile.window<32xi1>
  %a = tile.load %w : !tile.window<32xi1> to tensor<32xi1, #line>
  %m = tile.reduce any %a axis = 0 : tensor<32xi1, #line> to i1
  tile.store_scalar %m, %out[%zero] : i1 to !tile.global<1xi1>
  tile.return
}

// One value per warp; pass 11 combines them through shared memory.
// CHECK-LABEL: func.func @partial
// CHECK-COUNT-5: sm.shuffle xor
// CHECK: sm.store_shared %{{.*}}, %{{.*}} : vector<1xf32>
tile.kernel @partial(%x: !tile.global<64xf32>) attributes {tile.num_warps = 2 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<64xf32> to !tile.window<64xf32>
  %s = tile.alloc_shared at 0 : !tile.shared<2xf32>
  %a = tile.load %w : !tile.window<64xf32> to tensor<64xf32, #split>
  %m = tile.reduce sum %a axis = 0 {partial} : tensor<64xf32, #split> to tensor<2xf32, #partial>
  tile.store %m, %s : tensor<2xf32, #partial> to !tile.shared<2xf32>
  tile.return
}

// One value per thread: the last axis of the result is the four lanes of a row, nothing is shuffled.
// CHECK-LABEL: func.func @per_thread
// CHECK-COUNT-6: arith.addf
// CHECK-NOT: sm.shuffle
// CHECK: sm.store_global
tile.kernel @per_thread(%x: !tile.global<64x16xf32>, %out: !tile.global<64x4xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x16xf32> to !tile.window<64x16xf32>
  %o = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x4xf32> to !tile.window<64x4xf32>
  %a = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
  %p = tile.reduce sum %a axis = 1 {partial} : tensor<64x16xf32, #acc> to tensor<64x4xf32, #perthread>
  tile.store %p, %o : tensor<64x4xf32, #perthread> to !tile.window<64x4xf32>
  tile.return
}

#padded = #tile.frag<reg = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], repeat = [[0, 4]], warps = []>
#padded_row = #tile.frag<reg = [], lane = [[0], [0], [0], [0], [0]], warp = [], repeat = [[0, 4]], warps = []>

// What is past the end of a row loses against every number, and leaves NaN where the row has none but NaN.
// CHECK-LABEL: func.func @padding
// CHECK: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK: math.absf
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[NAN]] : f32
tile.kernel @padding(%x: !tile.global<4x20xf32>, %y: !tile.global<4xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<4x20xf32> to !tile.window<4x20xf32>
  %v = tile.window %y[%zero] dims = [0] : !tile.global<4xf32> to !tile.window<4xf32>
  %a = tile.load %w : !tile.window<4x20xf32> to tensor<4x20xf32, #padded>
  %m = tile.reduce absmax %a axis = 1 : tensor<4x20xf32, #padded> to tensor<4xf32, #padded_row>
  tile.store %m, %v : tensor<4xf32, #padded_row> to !tile.window<4xf32>
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#line = #tile.frag<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [], warps = []>

// The two registers first, then each bit of the lane: the upper half starts from what the lower sums up
// to.
// CHECK-LABEL: func.func @line
// CHECK: %[[LANE:.*]] = sm.lane_id
// CHECK: %[[A:.*]] = vector.extract %{{.*}}[0] : i32
// CHECK: %[[B:.*]] = vector.extract %{{.*}}[1] : i32
// CHECK: %[[AB:.*]] = arith.addi %[[A]], %[[B]]
// CHECK: %[[BIT:.*]] = arith.andi %[[LANE]], %c1_i32
// CHECK: %[[UPPER:.*]] = arith.cmpi ne, %[[BIT]], %c0_i32
// CHECK: %[[OTHER:.*]] = sm.shuffle xor %[[AB]], %c1_i32
// CHECK: arith.select %[[UPPER]], %[[OTHER]], %c0_i32
// CHECK: %[[PAIR:.*]] = arith.addi %[[AB]], %[[OTHER]]
// CHECK: sm.shuffle xor %[[PAIR]], %c2_i32
// CHECK: sm.shuffle xor %{{.*}}, %c4_i32
// CHECK: sm.shuffle xor %{{.*}}, %c8_i32
// CHECK: sm.shuffle xor %{{.*}}, %c16_i32
// CHECK-NOT: sm.shuffle
// CHECK: %[[FIRST:.*]] = arith.addi %[[START:.*]], %[[A]]
// CHECK: %[[SECOND:.*]] = arith.addi %[[START]], %[[AB]]
// CHECK: vector.from_elements %[[FIRST]], %[[SECOND]]
tile.kernel @line(%x: !tile.global<64xi32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<64xi32> to !tile.window<64xi32>
  %a = tile.load %w : !tile.window<64xi32> to tensor<64xi32, #line>
  %s = tile.scan sum %a axis = 0 : tensor<64xi32, #line>
  tile.store %s, %w : tensor<64xi32, #line> to !tile.window<64xi32>
  tile.return
}

// -----

#line = #tile.frag<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [], warps = []>

// NaN is passed over; the last element has nothing behind it, and lower lanes start from upper ones.
// CHECK-LABEL: func.func @backwards
// CHECK: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: arith.maxnumf %{{.*}}, %[[LOWEST]]
// CHECK: %[[B:.*]] = arith.maxnumf %{{.*}}, %[[LOWEST]]
// CHECK: arith.cmpi eq, %{{.*}}, %c0_i32
// CHECK: sm.shuffle xor %{{.*}}, %c1_i32 : f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[LOWEST]]
// CHECK: %[[FIRST:.*]] = arith.maxnumf %[[START:.*]], %[[B]]
// CHECK: vector.from_elements %[[FIRST]], %[[START]]
tile.kernel @backwards(%x: !tile.global<64xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<64xf32> to !tile.window<64xf32>
  %a = tile.load %w : !tile.window<64xf32> to tensor<64xf32, #line>
  %s = tile.scan max %a axis = 0 {exclusive, reverse} : tensor<64xf32, #line>
  tile.store %s, %w : tensor<64xf32, #line> to !tile.window<64xf32>
  tile.return
}

// -----

#line = #tile.frag<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [[0, 5]], warps = []>

// Flags are counted in fields of 7 bits, as a warp has 64 of them at a time: four of five blocks in one
// word, the fifth in another.
// CHECK-LABEL: func.func @flags
// CHECK: %[[BITS:.*]] = arith.constant 127 : i32
// CHECK: arith.shli %{{.*}}, %c7_i32
// CHECK: arith.shli %{{.*}}, %c14_i32
// CHECK: arith.shli %{{.*}}, %c21_i32
// CHECK-COUNT-5: sm.shuffle xor
// CHECK-NOT: sm.shuffle
// CHECK: arith.andi %{{.*}}, %[[BITS]]
// CHECK: arith.shrui %{{.*}}, %c21_i32
// CHECK-COUNT-5: sm.shuffle xor
// CHECK-NOT: sm.shuffle
// CHECK: return
tile.kernel @flags(%x: !tile.global<320xi1>, %y: !tile.global<320xi32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<320xi1> to !tile.window<320xi1>
  %v = tile.window %y[%zero] dims = [0] : !tile.global<320xi32> to !tile.window<320xi32>
  %a = tile.load %w : !tile.window<320xi1> to tensor<320xi1, #line>
  %n = arith.extui %a : tensor<320xi1, #line> to tensor<320xi32, #line>
  %s = tile.scan sum %n axis = 0 {exclusive} : tensor<320xi32, #line>
  tile.store %s, %v : tensor<320xi32, #line> to !tile.window<320xi32>
  tile.return
}

// -----
#split = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 2]]>

tile.kernel @across(%x: !tile.global<64xi32>) attributes {tile.num_warps = 2 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<64xi32> to !tile.window<64xi32>
  %a = tile.load %w : !tile.window<64xi32> to tensor<64xi32, #split>
  // expected-error @below {{scans over several warps; run 'tile-materialize-scratch' first}}
  %s = tile.scan sum %a axis = 0 : tensor<64xi32, #split>
  tile.store %s, %w : tensor<64xi32, #split> to !tile.window<64xi32>
  tile.return
}

// -----

#line = #tile.frag<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [], warps = []>

tile.kernel @argmax(%x: !tile.global<64xf32>, %y: !tile.global<1xi32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<64xf32> to !tile.window<64xf32>
  %a = tile.load %w : !tile.window<64xf32> to tensor<64xf32, #line>
  // expected-error @below {{argmax has no lowering of its own; run 'tile-legalize-math' first}}
  %s = tile.reduce argmax %a axis = 0 : tensor<64xf32, #line> to i32
  tile.store_scalar %s, %y[%zero] : i32 to !tile.global<1xi32>
  tile.return
}

// RUN: tile-opt %s -split-input-file -tile-materialize-scratch | FileCheck %s

#split = #tile.frag<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [], warps = [[0, 4]]>

// Each warp starts from the totals of the warps before it. The sum of all shares them: one round trip.
// CHECK-DAG: #[[TOTAL:.*]] = #tile.frag<reg = [], lane = {{.*}}, warp = [], repeat = [], warps = {{\[}}[0, 4]]>
// CHECK-LABEL: tile.kernel @across_warps
// CHECK: %[[T:.*]] = tile.reduce sum %[[X:.*]] axis = 0 {partial} : {{.*}} to tensor<4xi32, #[[TOTAL]]>
// CHECK: %[[S:.*]] = tile.alloc_shared : <4xi32
// CHECK: tile.store %[[T]], %[[S]]
// CHECK: %[[ALL:.*]] = tile.load %[[S]]
// CHECK: %[[PAIRS:.*]] = tile.broadcast %[[ALL]] dims = [1] : {{.*}} to tensor<4x4xi32
// CHECK: %[[BEFORE:.*]] = arith.cmpi slt
// CHECK: %[[C:.*]] = arith.select %[[BEFORE]], %[[PAIRS]], %{{.*}}
// CHECK: %[[START:.*]] = tile.reduce sum %[[C]] axis = 1 : {{.*}} to tensor<4xi32, #[[TOTAL]]>
// CHECK: tile.scan sum %[[X]] from %[[START]] : tensor<4xi32, #[[TOTAL]]> axis = 0
// CHECK-NOT: tile.alloc_shared
// CHECK: tile.reduce sum %[[ALL]] axis = 0 : {{.*}} to i32
tile.kernel @across_warps(%x: !tile.global<256xi32>, %y: !tile.global<1xi32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<256xi32> to !tile.window<256xi32>
  %a = tile.load %w : !tile.window<256xi32> to tensor<256xi32, #split>
  %s = tile.scan sum %a axis = 0 : tensor<256xi32, #split>
  %t = tile.reduce sum %a axis = 0 : tensor<256xi32, #split> to i32
  tile.store %s, %w : tensor<256xi32, #split> to !tile.window<256xi32>
  tile.store_scalar %t, %y[%zero] : i32 to !tile.global<1xi32>
  tile.return
}

// -----

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[0, 2]], warps = []>

// The rows of a warp of an accumulator are not one run: the scan takes another layout.
// CHECK-LABEL: tile.kernel @accumulator
// CHECK: tile.alloc_shared : <128x8xf32
// CHECK: tile.scan max %{{.*}} from %{{.*}} axis = 0 {reverse} : tensor<128x8xf32, #[[RUNS:.*]]>
// CHECK: tile.alloc_shared : <128x8xf32
tile.kernel @accumulator(%x: !tile.global<128x8xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<128x8xf32> to !tile.window<128x8xf32>
  %a = tile.load %w : !tile.window<128x8xf32> to tensor<128x8xf32, #acc>
  %s = tile.scan max %a axis = 0 {reverse} : tensor<128x8xf32, #acc>
  tile.store %s, %w : tensor<128x8xf32, #acc> to !tile.window<128x8xf32>
  tile.return
}

// -----

#copies = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [0]], warp = [], repeat = [], warps = [[-1, 4]]>
#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>

// Old values: for all threads of the CTA, for those that hold the same element, and for none.
// CHECK-LABEL: tile.kernel @olds
// CHECK: %[[OLD:.*]] = tile.atomic_scalar add
// CHECK: %[[S:.*]] = tile.alloc_shared : <1xi32
// CHECK: tile.store_scalar %[[OLD]], %[[S]]
// CHECK: %[[SHARED:.*]] = tile.load_scalar %[[S]]
// CHECK: %[[SPREAD:.*]] = tile.broadcast %[[SHARED]]
// CHECK: %[[COPY:.*]] = tile.atomic add %[[SPREAD]]
// CHECK: %[[C:.*]] = tile.alloc_shared : <16xi32
// CHECK: tile.store %[[COPY]], %[[C]]
// CHECK: %[[AGAIN:.*]] = tile.load %[[C]]
// CHECK: tile.store %[[AGAIN]]
// CHECK: %[[OWN:.*]] = tile.atomic add
// CHECK-NOT: tile.alloc_shared
// CHECK: tile.store %[[OWN]]
tile.kernel @olds(%x: !tile.global<128xi32>, %y: !tile.global<128xi32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %w = tile.window %x[%zero] dims = [0] : !tile.global<128xi32> to !tile.window<16xi32>
  %v = tile.window %y[%zero] dims = [0] : !tile.global<128xi32> to !tile.window<16xi32>
  %l = tile.window %x[%zero] dims = [0] : !tile.global<128xi32> to !tile.window<128xi32>
  %m = tile.window %y[%zero] dims = [0] : !tile.global<128xi32> to !tile.window<128xi32>
  %ticket = tile.atomic_scalar add %one, %x[%zero] : i32 to !tile.global<128xi32> -> i32
  %spread = tile.broadcast %ticket dims = [] : i32 to tensor<16xi32, #copies>
  %old = tile.atomic add %spread, %w : tensor<16xi32, #copies> to !tile.window<16xi32> -> tensor<16xi32, #copies>
  tile.store %old, %v : tensor<16xi32, #copies> to !tile.window<16xi32>
  %ones = arith.constant dense<1> : tensor<128xi32, #line>
  %own = tile.atomic add %ones, %l : tensor<128xi32, #line> to !tile.window<128xi32> -> tensor<128xi32, #line>
  tile.store %own, %m : tensor<128xi32, #line> to !tile.window<128xi32>
  tile.return
}

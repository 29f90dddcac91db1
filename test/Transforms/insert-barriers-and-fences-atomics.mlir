// RUN: tile-opt %s -split-input-file -tile-insert-barriers-and-fences | FileCheck %s

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>

// Additions commute: none waits for another, not even in the next iteration. What others read or write
// does, where it is in front of the loop there and not in each iteration.
// CHECK-LABEL: tile.kernel @histogram
// CHECK: tile.store
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: sm.barrier
// CHECK: tile.atomic add
// CHECK-NOT: sm.barrier
// CHECK: tile.atomic add
// CHECK-NOT: sm.barrier
// CHECK: }
// CHECK: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @histogram(%y: !tile.global<128xi32>, %n: i64) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<128xi32, #tile.swizzle<0>>
  %w = tile.window %y[%zero] dims = [0] : !tile.global<128xi32> to !tile.window<128xi32>
  %ones = arith.constant dense<1> : tensor<128xi32, #line>
  tile.store %ones, %s : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>>
  scf.for %k = %zero to %n step %one : i64 {
    tile.atomic add %ones, %s[%ones : tensor<128xi32, #line>] axis = 0 : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>>
    tile.atomic add %ones, %s : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>>
  }
  %a = tile.load %s : !tile.shared<128xi32, #tile.swizzle<0>> to tensor<128xi32, #line>
  tile.store %a, %w : tensor<128xi32, #line> to !tile.window<128xi32>
  tile.return
}

// -----

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>

// A maximum after an addition, an old value, an exchange.
// CHECK-LABEL: tile.kernel @ordered
// CHECK: tile.atomic add
// CHECK: sm.barrier
// CHECK: tile.atomic max
// CHECK: sm.barrier
// CHECK: tile.atomic max {{.*}} -> tensor
// CHECK: sm.barrier
// CHECK: tile.atomic exch
// CHECK: sm.barrier
// CHECK: tile.atomic exch
tile.kernel @ordered(%y: !tile.global<128xi32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<128xi32, #tile.swizzle<0>>
  %w = tile.window %y[%zero] dims = [0] : !tile.global<128xi32> to !tile.window<128xi32>
  %ones = arith.constant dense<1> : tensor<128xi32, #line>
  tile.atomic add %ones, %s : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>>
  tile.atomic max %ones, %s : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>>
  %old = tile.atomic max %ones, %s : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>> -> tensor<128xi32, #line>
  tile.atomic exch %old, %s : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>>
  tile.atomic exch %ones, %s : tensor<128xi32, #line> to !tile.shared<128xi32, #tile.swizzle<0>>
  tile.return
}

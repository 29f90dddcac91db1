// RUN: tile-opt %s -split-input-file -verify-diagnostics -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = []>
#copies = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [0]], warp = [], repeat = [], warps = [[-1, 2]]>

// Padding and what is not there have no part in it, nor have the other threads with the same element.
// CHECK-LABEL: func.func @window
// CHECK: %[[WARP:.*]] = sm.warp_id
// CHECK: arith.ori
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK:   scf.if %{{.*}} {
// CHECK-NEXT: sm.atomic_global add release sys %{{.*}}, %{{.*}} : i32
tile.kernel @window(%x: !tile.global<?xi32>, %n: i64) attributes {tile.num_warps = 2 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant dense<1> : tensor<16xi32, #copies>
  %w = tile.window %x[%zero] dims = [0] upto [%n] : !tile.global<?xi32> to !tile.window<16xi32>
  tile.atomic add %one, %w order = release scope = system : tensor<16xi32, #copies> to !tile.window<16xi32>
  tile.return
}

// -----

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = []>

// Shared memory is the CTA's. An index outside the tile, and what the mask excludes, is left out; its
// old value is 0.
// CHECK-LABEL: func.func @shared
// CHECK: arith.cmpi ult
// CHECK: %[[OLD:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:   %[[V:.*]] = sm.atomic_shared or relaxed cta %{{.*}}, %{{.*}} : i32 -> i32
// CHECK:   scf.yield %[[V]]
// CHECK: } else {
// CHECK:   scf.yield %c0_i32
tile.kernel @shared(%x: !tile.global<32xi32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<64xi32, #tile.swizzle<0>>
  %w = tile.window %x[%zero] dims = [0] : !tile.global<32xi32> to !tile.window<32xi32>
  %i = tile.load %w : !tile.window<32xi32> to tensor<32xi32, #line>
  %old = tile.atomic or %i, %s[%i : tensor<32xi32, #line>] axis = 0 : tensor<32xi32, #line> to !tile.shared<64xi32, #tile.swizzle<0>> -> tensor<32xi32, #line>
  tile.store %old, %w : tensor<32xi32, #line> to !tile.window<32xi32>
  tile.return
}

// -----

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = []>

// Floats in the order of their bits; of NaN remains an infinity that changes nothing.
// CHECK-LABEL: func.func @float_max
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X:.*]] : f32 to i32
// CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[X]], %[[X]] : f32
// CHECK: %[[V:.*]] = arith.select %[[NUMBER]], %[[BITS]], %c-8388608_i32
// CHECK: %[[PLAIN:.*]] = arith.cmpi sge, %[[V]], %c0_i32
// CHECK: scf.if %[[PLAIN]] {
// CHECK:   sm.atomic_global max relaxed gpu %[[V]], %[[A:.*]] : i32
// CHECK: } else {
// CHECK:   sm.atomic_global umin relaxed gpu %[[V]], %[[A]] : i32
tile.kernel @float_max(%x: !tile.global<32xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<32xf32> to !tile.window<32xf32>
  %v = tile.load %w : !tile.window<32xf32> to tensor<32xf32, #line>
  tile.atomic max %v, %w : tensor<32xf32, #line> to !tile.window<32xf32>
  tile.return
}

// -----

// One thread; what the CTA did before is released, and its later accesses come behind the barrier.
// CHECK-LABEL: func.func @ticket
// CHECK: sm.barrier
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
// CHECK: scf.if %{{.*}} -> (i32) {
// CHECK:   sm.atomic_global add acq_rel gpu %{{.*}}, %{{.*}} : i32 -> i32
// CHECK: sm.barrier
// CHECK: sm.store_shared
// CHECK: sm.barrier
// CHECK: sm.fence release gpu
// CHECK-NOT: sm.barrier
// CHECK: sm.fence acquire sys
// CHECK: sm.barrier
tile.kernel @ticket(%x: !tile.global<?xi32>, %i: i64) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %s = tile.alloc_shared at 0 : !tile.shared<1xi32, #tile.swizzle<0>>
  %old = tile.atomic_scalar add %one, %x[%i] order = acq_rel : i32 to !tile.global<?xi32> -> i32
  tile.store_scalar %old, %s[%zero] : i32 to !tile.shared<1xi32, #tile.swizzle<0>>
  tile.fence order = release scope = gpu
  tile.fence order = acquire scope = system
  tile.return
}

// -----

tile.kernel @unshared_old(%x: !tile.global<?xi32>, %y: !tile.global<?xi32>, %i: i64) attributes {tile.num_warps = 4 : i64} {
  %one = arith.constant 1 : i32
  // expected-error @below {{has its old value in one thread only; run 'tile-materialize-scratch' first}}
  %old = tile.atomic_scalar add %one, %x[%i] : i32 to !tile.global<?xi32> -> i32
  tile.store_scalar %old, %y[%i] : i32 to !tile.global<?xi32>
  tile.return
}

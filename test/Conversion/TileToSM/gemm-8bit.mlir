// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 4]], warps = []>
#a8 = #tile.frag<reg = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = []>
#acc1 = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 2]], warps = []>

// A K step is 32 bytes, 32 elements; a row of 128 is one slab.
// CHECK-LABEL: func.func @shared
// CHECK: %[[R0:.*]] = sm.wgmma %cst, %[[A:.*]], %[[B:.*]] {init, type = f8E4M3FN, type_b = f8E5M2} : vector<16xf32>, i64
// CHECK: %[[A2:.*]] = arith.addi %[[A]], %c2_i64
// CHECK: %[[B2:.*]] = arith.addi %[[B]], %c2_i64
// CHECK: sm.wgmma %[[R0]], %[[A2]], %[[B2]] {type = f8E4M3FN, type_b = f8E5M2}
// CHECK-COUNT-2: sm.wgmma %
// CHECK-NOT: sm.wgmma %
// CHECK: sm.wgmma_commit
tile.kernel @shared(%out: !tile.global<64x32xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<64x128xf8E4M3FN, #tile.swizzle<128>>
  %b = tile.alloc_shared at 8192 : !tile.shared<32x128xf8E5M2, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<64x32xf32, #acc>
  %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<64x128xf8E4M3FN, #tile.swizzle<128>>, !tile.shared<32x128xf8E5M2, #tile.swizzle<128>>, tensor<64x32xf32, #acc>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x32xf32> to !tile.window<64x32xf32>
  tile.store %s, %w : tensor<64x32xf32, #acc> to !tile.window<64x32xf32>
  tile.return
}

// Four elements a register, four registers a K step.
// CHECK-LABEL: func.func @registers
// CHECK: %[[TIED:.*]] = sm.wgmma_fence of %{{.*}} : vector<8xi32>
// CHECK: %[[A0:.*]] = vector.shuffle %[[TIED]], %[[TIED]] [0, 1, 2, 3]
// CHECK: sm.wgmma %{{.*}}, %[[A0]], %{{.*}} {init, type = f8E4M3FN} : vector<16xf32>, vector<4xi32>
// CHECK: %[[A1:.*]] = vector.shuffle %[[TIED]], %[[TIED]] [4, 5, 6, 7]
// CHECK: sm.wgmma %{{.*}}, %[[A1]]
tile.kernel @registers(%x: !tile.global<64x64xf8E4M3FN>, %out: !tile.global<64x32xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %b = tile.alloc_shared at 0 : !tile.shared<32x64xf8E4M3FN, #tile.swizzle<64>>
  %xw = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x64xf8E4M3FN> to !tile.window<64x64xf8E4M3FN>
  %p = tile.load %xw : !tile.window<64x64xf8E4M3FN> to tensor<64x64xf8E4M3FN, #a8>
  %acc = arith.constant dense<0.0> : tensor<64x32xf32, #acc>
  %r = tile.gemm %p, %b, %acc {transpose_b} : tensor<64x64xf8E4M3FN, #a8>, !tile.shared<32x64xf8E4M3FN, #tile.swizzle<64>>, tensor<64x32xf32, #acc>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x32xf32> to !tile.window<64x32xf32>
  tile.store %r, %w : tensor<64x32xf32, #acc> to !tile.window<64x32xf32>
  tile.return
}

// Few rows: mma.sync, two K steps.
// CHECK-LABEL: func.func @warp
// CHECK: %[[A:.*]] = sm.ldmatrix %{{.*}} : vector<4xi32>
// CHECK: %[[B:.*]] = sm.ldmatrix %{{.*}} : vector<4xi32>
// CHECK: %[[B0:.*]] = vector.shuffle %[[B]], %[[B]] [0, 1]
// CHECK: sm.mma %[[A]], %[[B0]], %{{.*}} {type = f8E5M2, type_b = f8E4M3FN}
// CHECK-COUNT-3: sm.mma
// CHECK-NOT: sm.mma
tile.kernel @warp(%out: !tile.global<16x16xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<16x64xf8E5M2, #tile.swizzle<64>>
  %b = tile.alloc_shared at 1024 : !tile.shared<16x64xf8E4M3FN, #tile.swizzle<64>>
  %acc = arith.constant dense<0.0> : tensor<16x16xf32, #acc1>
  %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<16x64xf8E5M2, #tile.swizzle<64>>, !tile.shared<16x64xf8E4M3FN, #tile.swizzle<64>>, tensor<16x16xf32, #acc1>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<16x16xf32> to !tile.window<16x16xf32>
  tile.store %s, %w : tensor<16x16xf32, #acc1> to !tile.window<16x16xf32>
  tile.return
}

// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#s = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 3]], warps = []>
#p = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 2]], warps = [[-1, 4]]>
#o = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 2]], warps = [[1, 4]]>

// 24 keys are one pair of columns of 8 and one alone. 8 query rows: rows past them read row 7.
// CHECK-LABEL: func.func @scores
// CHECK: %[[ROW:.*]] = arith.minsi %{{.*}}, %c7_i32
// CHECK: %[[A:.*]] = sm.ldmatrix %{{.*}} : vector<4xi32>
// CHECK: %[[B:.*]] = sm.ldmatrix %{{.*}} : vector<4xi32>
// CHECK: %[[B0:.*]] = vector.shuffle %[[B]], %[[B]] [0, 1]
// CHECK: sm.mma %[[A]], %[[B0]], %{{.*}} {type = bf16}
// CHECK: %[[B1:.*]] = vector.shuffle %[[B]], %[[B]] [2, 3]
// CHECK: sm.mma %[[A]], %[[B1]], %{{.*}} {type = bf16}
// CHECK: %[[B2:.*]] = sm.ldmatrix %{{.*}} : vector<2xi32>
// CHECK: sm.mma %[[A]], %[[B2]], %{{.*}} {type = bf16}
tile.kernel @scores(%out: !tile.global<8x24xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %q = tile.alloc_shared at 0 : !tile.shared<8x64xbf16, #tile.swizzle<128>>
  %k = tile.alloc_shared at 1024 : !tile.shared<24x64xbf16, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<8x24xf32, #s>
  %s = tile.gemm %q, %k, %acc {transpose_b} : !tile.shared<8x64xbf16, #tile.swizzle<128>>, !tile.shared<24x64xbf16, #tile.swizzle<128>>, tensor<8x24xf32, #s>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<8x24xf32> to !tile.window<8x24xf32>
  tile.store %s, %w : tensor<8x24xf32, #s> to !tile.window<8x24xf32>
  tile.return
}

// Four warps split the columns; P from registers, V stored with the columns last.
// CHECK-LABEL: func.func @values
// CHECK: %[[WARP:.*]] = sm.warp_id
// CHECK: %[[P:.*]] = scf.if %{{.*}} -> (vector<4xi32>)
// CHECK: %[[SHARE:.*]] = arith.shli %[[WARP]], %c4_i32
// CHECK: arith.addi %[[SHARE]], %{{.*}}
// CHECK: %[[V:.*]] = sm.ldmatrix %{{.*}} {transpose} : vector<4xi32>
// CHECK-COUNT-2: sm.mma %[[P]]
// CHECK-NOT: sm.mma %
tile.kernel @values(%x: !tile.global<16x16xbf16>, %out: !tile.global<16x64xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %v = tile.alloc_shared at 0 : !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %xw = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<16x16xbf16> to !tile.window<16x16xbf16>
  %p = tile.load %xw : !tile.window<16x16xbf16> to tensor<16x16xbf16, #p>
  %acc = arith.constant dense<0.0> : tensor<16x64xf32, #o>
  %r = tile.gemm %p, %v, %acc : tensor<16x16xbf16, #p>, !tile.shared<16x64xbf16, #tile.swizzle<128>>, tensor<16x64xf32, #o>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<16x64xf32> to !tile.window<16x64xf32>
  tile.store %r, %w : tensor<16x64xf32, #o> to !tile.window<16x64xf32>
  tile.return
}

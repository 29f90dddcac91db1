// RUN: tile-opt %s -split-input-file -convert-tile-to-sm -canonicalize -cse | FileCheck %s

// Registers are named again; the layouts say which. Two columns of eight, in registers.
#whole = #tile.frag<reg = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], repeat = [[1, 2]], warps = [[-1, 4]]>
#halves = #tile.frag<reg = [[0, 0, 1], [0, 0, 2]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [], repeat = [[1, 2]], warps = [[-1, 4]]>
#part = #tile.frag<reg = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], repeat = [], warps = [[-1, 4]]>
#turned = #tile.frag<reg = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], repeat = [], warps = [[-1, 4]]>
#sides = #tile.frag<reg = [[0, 0, 1], [0, 1, 0], [0, 2, 0]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [], repeat = [], warps = [[-1, 4]]>
#joined = #tile.frag<reg = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], repeat = [], warps = [[-1, 4]]>
// CHECK-LABEL: func.func @registers
// CHECK: vector.shuffle %[[X:.*]], %[[X]] [4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
// CHECK: vector.from_elements %{{.*}} : vector<8xf32>
tile.kernel @registers(%x: !tile.global<32x8xf32>, %y: !tile.global<32x8xf32>, %z: !tile.global<4x32xf32>) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %wx = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<32x8xf32> to !tile.window<32x8xf32>
  %wy = tile.window %y[%c0, %c0] dims = [0, 1] : !tile.global<32x8xf32> to !tile.window<32x8xf32>
  %wz = tile.window %z[%c0, %c0] dims = [0, 1] : !tile.global<4x32xf32> to !tile.window<4x32xf32>
  %f = tile.load %wx : !tile.window<32x8xf32> to tensor<32x8xf32, #whole>
  %s = tile.split %f axis = 1 : tensor<32x8xf32, #whole> to tensor<32x2x4xf32, #halves>
  %a = tile.take %s axis = 1 at 0 : tensor<32x2x4xf32, #halves> to tensor<32x4xf32, #part>
  %b = tile.take %s axis = 1 at 1 : tensor<32x2x4xf32, #halves> to tensor<32x4xf32, #part>
  %p = tile.stack %a, %b axis = 2 : tensor<32x4xf32, #part> to tensor<32x4x2xf32, #sides>
  %j = tile.join %p axis = 1 : tensor<32x4x2xf32, #sides> to tensor<32x8xf32, #joined>
  tile.store %j, %wy : tensor<32x8xf32, #joined> to !tile.window<32x8xf32>
  %t = tile.permute %b dims = [1, 0] : tensor<32x4xf32, #part> to tensor<4x32xf32, #turned>
  tile.store %t, %wz : tensor<4x32xf32, #turned> to !tile.window<4x32xf32>
  tile.return
}

// -----

// A scalar that every thread holds.
#all = #tile.frag<reg = [], lane = [[0], [0], [0], [0], [0]], warp = [], repeat = [[0, 4]], warps = [[-1, 4]]>
// CHECK-LABEL: func.func @scalar
// CHECK: %[[E:.*]] = vector.extract %{{.*}}[3] : i32 from vector<4xi32>
// CHECK: sm.store_global %[[E]]
tile.kernel @scalar(%x: !tile.global<4xi32>, %y: !tile.global<4xi32>) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%c0] dims = [0] : !tile.global<4xi32> to !tile.window<4xi32>
  %f = tile.load %w : !tile.window<4xi32> to tensor<4xi32, #all>
  %e = tile.take %f axis = 0 at 3 : tensor<4xi32, #all> to i32
  tile.store_scalar %e, %y[%c0] : i32 to !tile.global<4xi32>
  tile.return
}

// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = []>

// Registers in the order of the layout; loop-carried fragments too.
// CHECK-LABEL: func.func @arith_and_math
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %cst{{.*}}) -> (vector<8xf32>)
// CHECK:   %[[E:.*]] = sm.exp2 %[[X]] : vector<8xf32>
// CHECK:   %[[F:.*]] = math.fma %[[E]], %[[E]], %[[X]] : vector<8xf32>
// CHECK:   %[[C:.*]] = arith.cmpf olt, %[[F]], %[[X]] : vector<8xf32>
// CHECK:   arith.select %[[C]], %[[F]], %[[X]] : vector<8xi1>, vector<8xf32>
// CHECK: %[[B:.*]] = arith.truncf %[[LOOP]] : vector<8xf32> to vector<8xbf16>
// CHECK: %[[W:.*]] = arith.extf %[[B]] : vector<8xbf16> to vector<8xf32>
// CHECK: %[[L:.*]] = sm.log2 %[[W]] : vector<8xf32>
// CHECK: arith.truncf %[[L]] : vector<8xf32> to vector<8xbf16>
tile.kernel @arith_and_math(%out: !tile.global<64x16xbf16>, %n: i64) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x0 = arith.constant dense<1.0> : tensor<64x16xf32, #acc>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %x0) -> (tensor<64x16xf32, #acc>) : i64 {
    %e = math.exp2 %x : tensor<64x16xf32, #acc>
    %f = math.fma %e, %e, %x : tensor<64x16xf32, #acc>
    %c = arith.cmpf olt, %f, %x : tensor<64x16xf32, #acc>
    %s = arith.select %c, %f, %x : tensor<64x16xi1, #acc>, tensor<64x16xf32, #acc>
    scf.yield %s : tensor<64x16xf32, #acc>
  }
  %b = arith.truncf %r : tensor<64x16xf32, #acc> to tensor<64x16xbf16, #acc>
  %l = math.log2 %b : tensor<64x16xbf16, #acc>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x16xbf16> to !tile.window<64x16xbf16>
  tile.store %l, %w : tensor<64x16xbf16, #acc> to !tile.window<64x16xbf16>
  tile.return
}

// CHECK-LABEL: func.func @scalar_math
// CHECK: sm.exp2 %{{.*}} : f32
tile.kernel @scalar_math(%out: !tile.global<4xf32>, %x: f32) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %e = math.exp2 %x : f32
  tile.store_scalar %e, %out[%zero] : f32 to !tile.global<4xf32>
  tile.return
}

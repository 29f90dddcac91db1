// RUN: tile-opt %s -tile-legalize-math | FileCheck %s

// CHECK-LABEL: tile.kernel @exp
// CHECK: %[[LOG2E:.*]] = arith.constant dense<1.44269502> : tensor<64xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X:.*]], %[[LOG2E]]
// CHECK: %[[E:.*]] = math.exp2 %[[SCALED]]
// CHECK: tile.store %[[E]]
tile.kernel @exp(%g: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64xf32> to tensor<64xf32>
  %e = math.exp %x : tensor<64xf32>
  tile.store %e, %w : tensor<64xf32> to !tile.window<64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @scalar_log
// CHECK: %[[LOG2:.*]] = math.log2 %arg1 : f32
// CHECK: %[[LN2:.*]] = arith.constant 0.693147182 : f32
// CHECK: arith.mulf %[[LOG2]], %[[LN2]] : f32
tile.kernel @scalar_log(%g: !tile.global<?xf32>, %x: f32, %o: i64) {
  %l = math.log %x : f32
  tile.store_scalar %l, %g[%o] : f32 to !tile.global<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @tanh
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[TWO_LOG2E:.*]] = arith.constant 2.885390{{.*}} : f32
// CHECK: %[[SCALED:.*]] = arith.mulf %arg1, %[[TWO_LOG2E]]
// CHECK: %[[POWER:.*]] = math.exp2 %[[SCALED]]
// CHECK: %[[SUM:.*]] = arith.addf %[[POWER]], %[[ONE]]
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00
// CHECK: %[[QUOTIENT:.*]] = arith.divf %[[TWO]], %[[SUM]]
// CHECK: arith.subf %[[ONE]], %[[QUOTIENT]]
tile.kernel @tanh(%g: !tile.global<?xf32>, %x: f32, %o: i64) {
  %t = math.tanh %x : f32
  tile.store_scalar %t, %g[%o] : f32 to !tile.global<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @divide
// CHECK: %[[ROW:.*]] = arith.divf %{{.*}}, %{{.*}} : tensor<64xf32>
// CHECK: %[[FACTORS:.*]] = tile.broadcast %[[ROW]]
// CHECK: arith.mulf %[[X:.*]], %[[FACTORS]] : tensor<64x32xf32>
// Without the author's permission a division rounds once.
// CHECK: arith.divf %[[X]], %{{.*}} : tensor<64x32xf32>
tile.kernel @divide(%g: !tile.global<?x32xf32>, %s: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x32xf32> to !tile.window<64x32xf32>
  %v = tile.window %s[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64x32xf32> to tensor<64x32xf32>
  %r = tile.load %v : !tile.window<64xf32> to tensor<64xf32>
  %b = tile.broadcast %r dims = [0] : tensor<64xf32> to tensor<64x32xf32>
  %q = arith.divf %x, %b fastmath<arcp> : tensor<64x32xf32>
  %p = arith.divf %x, %b : tensor<64x32xf32>
  tile.store %q, %w : tensor<64x32xf32> to !tile.window<64x32xf32>
  tile.store %p, %w : tensor<64x32xf32> to !tile.window<64x32xf32>
  tile.return
}

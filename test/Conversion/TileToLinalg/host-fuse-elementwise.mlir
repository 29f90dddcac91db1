// RUN: tile-opt --convert-elementwise-to-linalg --host-fuse-elementwise --canonicalize %s | FileCheck %s

// One loop nest over the tile: the constant is a scalar in it.
// CHECK-LABEL: func.func @chain(
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: math.exp2
// CHECK-NEXT: linalg.yield
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant dense<2.0> : tensor<8x8xf32>
  %a = arith.mulf %x, %c : tensor<8x8xf32>
  %b = arith.addf %a, %y : tensor<8x8xf32>
  %e = math.exp2 %b : tensor<8x8xf32>
  return %e : tensor<8x8xf32>
}

// exp2 of a row is not done again for every column; the cheap difference before it would be.
// CHECK-LABEL: func.func @row(
// CHECK: linalg.generic {{.*}} ["parallel"]
// CHECK: math.exp2
// CHECK: linalg.generic {{.*}} ["parallel", "parallel"]
// CHECK-NOT: math.exp2
// CHECK: arith.mulf
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @row(%m: tensor<8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = math.exp2 %m : tensor<8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %b = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %r = arith.mulf %x, %b : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// A constant that starts a buffer fills it.
// CHECK-LABEL: func.func @start(
// CHECK: %[[Z:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[Z]]
func.func @start() -> tensor<8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

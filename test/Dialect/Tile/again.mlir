// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// The body may use what stands outside of it.
// CHECK-LABEL: tile.kernel @again
tile.kernel @again() {
  %x = arith.constant dense<1.0> : tensor<64x128xf32>
  // CHECK: %[[S:.*]] = arith.addf
  %s = arith.addf %x, %x : tensor<64x128xf32>
  // CHECK: %[[T:.*]] = tile.again %[[S]] {
  // CHECK-NEXT: %[[R:.*]] = arith.mulf %{{.*}}, %[[S]]
  // CHECK-NEXT: tile.yield %[[R]] : tensor<64x128xf32>
  // CHECK-NEXT: } : tensor<64x128xf32>
  %t = tile.again %s {
    %r = arith.mulf %x, %s : tensor<64x128xf32>
    tile.yield %r : tensor<64x128xf32>
  } : tensor<64x128xf32>
  // CHECK: arith.negf %[[T]]
  %u = arith.negf %t : tensor<64x128xf32>
  tile.return
}

// What `follow` of the language leaves of itself: a lag of any float type.
// CHECK-LABEL: tile.kernel @follows
tile.kernel @follows() {
  %above = arith.constant dense<true> : tensor<64xi1>
  %maximum = arith.constant dense<1.0> : tensor<64xf32>
  %reference = arith.constant dense<0.0> : tensor<64xf32>
  // CHECK: arith.select {{.*}} {tile.follows = 8.000000e+00 : f32} : tensor<64xi1>, tensor<64xf32>
  %r = arith.select %above, %maximum, %reference {tile.follows = 8.0 : f32} : tensor<64xi1>, tensor<64xf32>
  // CHECK: arith.select {{.*}} {tile.follows = 8.000000e+00 : f64}
  %s = arith.select %above, %maximum, %reference {tile.follows = 8.0 : f64} : tensor<64xi1>, tensor<64xf32>
  tile.return
}

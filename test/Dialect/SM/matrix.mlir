// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @warp_product
func.func @warp_product(%address: i32, %c: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[A:.*]] = sm.ldmatrix %{{.*}} : vector<4xi32>
  %a = sm.ldmatrix %address : vector<4xi32>
  // CHECK: %[[B:.*]] = sm.ldmatrix %{{.*}} {transpose} : vector<2xi32>
  %b = sm.ldmatrix %address {transpose} : vector<2xi32>
  // CHECK: sm.mma %[[A]], %[[B]], %{{.*}} {type = bf16}
  %r = sm.mma %a, %b, %c {type = bf16}
  // CHECK: sm.mma %[[A]], %[[B]], %{{.*}} {type = f8E5M2}
  %s = sm.mma %a, %b, %r {type = f8E5M2}
  return %s : vector<4xf32>
}

// CHECK-LABEL: func.func @matrix_store
func.func @matrix_store(%v: vector<4xi32>, %w: vector<1xi32>, %address: i32) {
  // CHECK: sm.stmatrix %{{.*}}, %{{.*}} : vector<4xi32>
  sm.stmatrix %v, %address : vector<4xi32>
  // CHECK: sm.stmatrix %{{.*}}, %{{.*}} {transpose} : vector<1xi32>
  sm.stmatrix %w, %address {transpose} : vector<1xi32>
  return
}

// The body may use what stands outside of it.
// CHECK-LABEL: func.func @again
func.func @again(%s: vector<64xf32>, %x: vector<64xf32>) -> vector<64xf32> {
  // CHECK: %[[T:.*]] = sm.again %{{.*}} {
  // CHECK-NEXT: %[[R:.*]] = arith.mulf
  // CHECK-NEXT: sm.yield %[[R]] : vector<64xf32>
  // CHECK-NEXT: } : vector<64xf32>
  // CHECK-NEXT: return %[[T]]
  %t = sm.again %s {
    %r = arith.mulf %x, %s : vector<64xf32>
    sm.yield %r : vector<64xf32>
  } : vector<64xf32>
  return %t : vector<64xf32>
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @attention_products
tile.kernel @attention_products() {
  %q = tile.alloc_shared : !tile.shared<64x128xbf16>
  %k = tile.alloc_shared : !tile.shared<96x128xbf16>
  %v = tile.alloc_shared : !tile.shared<96x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x96xf32>
  %acc = arith.constant dense<0.0> : tensor<64x128xf32>
  // CHECK: %[[S:.*]] = tile.gemm %{{.*}}, %{{.*}}, %{{.*}} {transpose_b} : !tile.shared<64x128xbf16>, <96x128xbf16>, tensor<64x96xf32>
  %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<64x128xbf16>, !tile.shared<96x128xbf16>, tensor<64x96xf32>
  %p = arith.truncf %s : tensor<64x96xf32> to tensor<64x96xbf16>
  // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x96xbf16>, <96x128xbf16>, tensor<64x128xf32>
  %o = tile.gemm %p, %v, %acc : tensor<64x96xbf16>, !tile.shared<96x128xbf16>, tensor<64x128xf32>
  // CHECK: tile.gemm %{{.*}} {transpose_a} : !tile.shared<96x128xbf16>
  %zero2 = arith.constant dense<0.0> : tensor<128x128xf32>
  %t = tile.gemm %k, %v, %zero2 {transpose_a} : !tile.shared<96x128xbf16>, !tile.shared<96x128xbf16>, tensor<128x128xf32>
  tile.return
}

// One matrix of %k and of %v for each half of the rows.
// CHECK-LABEL: tile.kernel @grouped_products
tile.kernel @grouped_products() {
  %q = tile.alloc_shared : !tile.shared<128x64xbf16>
  %k = tile.alloc_shared : !tile.shared<2x96x64xbf16>
  %v = tile.alloc_shared : !tile.shared<2x96x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x96xf32>
  %acc = arith.constant dense<0.0> : tensor<128x64xf32>
  // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} {transpose_b} : !tile.shared<128x64xbf16>, <2x96x64xbf16>, tensor<128x96xf32>
  %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<2x96x64xbf16>, tensor<128x96xf32>
  %p = arith.truncf %s : tensor<128x96xf32> to tensor<128x96xbf16>
  // CHECK: tile.gemm %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x96xbf16>, <2x96x64xbf16>, tensor<128x64xf32>
  %o = tile.gemm %p, %v, %acc : tensor<128x96xbf16>, !tile.shared<2x96x64xbf16>, tensor<128x64xf32>
  tile.return
}

// What a kernel becomes depends neither on the kernels compiled beside it nor on threads.
// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -tile-materialize-scratch -tile-allocate-shared -tile-insert-barriers-and-fences > %t.parallel
// RUN: tile-opt %s -mlir-disable-threading -tile-assign-layouts -tile-optimize-conversions -tile-materialize-scratch -tile-allocate-shared -tile-insert-barriers-and-fences > %t.serial
// RUN: diff %t.parallel %t.serial
// RUN: FileCheck %s < %t.parallel

// CHECK-LABEL: tile.kernel @first
// CHECK-SAME: tile.num_warps = 4{{.*}}, tile.shared_bytes = [[BYTES:[0-9]+]]
// CHECK: %[[P:.*]] = tile.alloc_shared at [[AT:[0-9]+]] : <8x64xbf16
tile.kernel @first() {
  %q = tile.alloc_shared : !tile.shared<8x64xbf16>
  %k = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<8x64xf32>
  %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<8x64xbf16>, !tile.shared<64x64xbf16>, tensor<8x64xf32>
  %p = arith.truncf %s : tensor<8x64xf32> to tensor<8x64xbf16>
  %o = tile.gemm %p, %k, %zero : tensor<8x64xbf16>, !tile.shared<64x64xbf16>, tensor<8x64xf32>
  tile.return
}

tile.kernel @between() {
  %a = tile.alloc_shared : !tile.shared<192x16xf16>
  %b = tile.alloc_shared : !tile.shared<16x32xf16>
  %zero = arith.constant dense<0.0> : tensor<192x32xf32>
  %r = tile.gemm %a, %b, %zero : !tile.shared<192x16xf16>, !tile.shared<16x32xf16>, tensor<192x32xf32>
  tile.return
}

// The same kernel again.
// CHECK-LABEL: tile.kernel @second
// CHECK-SAME: tile.num_warps = 4{{.*}}, tile.shared_bytes = [[BYTES]]
// CHECK: tile.alloc_shared at [[AT]] : <8x64xbf16
tile.kernel @second() {
  %q = tile.alloc_shared : !tile.shared<8x64xbf16>
  %k = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<8x64xf32>
  %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<8x64xbf16>, !tile.shared<64x64xbf16>, tensor<8x64xf32>
  %p = arith.truncf %s : tensor<8x64xf32> to tensor<8x64xbf16>
  %o = tile.gemm %p, %k, %zero : tensor<8x64xbf16>, !tile.shared<64x64xbf16>, tensor<8x64xf32>
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @casts
tile.kernel @casts(%s: f32) {
  %x = arith.constant dense<1.0> : tensor<64x128xf32>
  // CHECK: tile.cast %{{.*}} {saturate} : tensor<64x128xf32> to tensor<64x128xf8E4M3FN>
  %q = tile.cast %x {saturate} : tensor<64x128xf32> to tensor<64x128xf8E4M3FN>
  // CHECK: tile.cast %{{.*}} : tensor<64x128xf8E4M3FN> to tensor<64x128xf8E5M2>
  %r = tile.cast %q : tensor<64x128xf8E4M3FN> to tensor<64x128xf8E5M2>
  // CHECK: tile.cast %{{.*}} : tensor<64x128xf8E5M2> to tensor<64x128xbf16>
  %b = tile.cast %r : tensor<64x128xf8E5M2> to tensor<64x128xbf16>
  // CHECK: tile.cast %{{.*}} : f32 to f8E4M3FN
  %t = tile.cast %s : f32 to f8E4M3FN
  tile.return
}

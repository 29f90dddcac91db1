// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @axes
tile.kernel @axes(%o: i64) {
  %x = arith.constant dense<1.0> : tensor<64x128xf32>
  // CHECK: tile.split %{{.*}} axis = 1 : tensor<64x128xf32> to tensor<64x64x2xf32>
  %pairs = tile.split %x axis = 1 : tensor<64x128xf32> to tensor<64x64x2xf32>
  // CHECK: tile.take %{{.*}} axis = 2 at 1 : tensor<64x64x2xf32> to tensor<64x64xf32>
  %odd = tile.take %pairs axis = 2 at 1 : tensor<64x64x2xf32> to tensor<64x64xf32>
  // CHECK: tile.stack %{{.*}}, %{{.*}} axis = 1 : tensor<64x64xf32> to tensor<64x2x64xf32>
  %halves = tile.stack %odd, %odd axis = 1 : tensor<64x64xf32> to tensor<64x2x64xf32>
  // CHECK: tile.join %{{.*}} axis = 0 : tensor<64x2x64xf32> to tensor<128x64xf32>
  %rows = tile.join %halves axis = 0 : tensor<64x2x64xf32> to tensor<128x64xf32>
  // CHECK: tile.permute %{{.*}} dims = [2, 0, 1] : tensor<64x2x64xf32> to tensor<64x64x2xf32>
  %turned = tile.permute %halves dims = [2, 0, 1] : tensor<64x2x64xf32> to tensor<64x64x2xf32>
  %line = arith.constant dense<1> : tensor<4xi32>
  // CHECK: tile.take %{{.*}} axis = 0 at 3 : tensor<4xi32> to i32
  %last = tile.take %line axis = 0 at 3 : tensor<4xi32> to i32
  // CHECK: %[[S:.*]] = tile.alloc_shared
  %s = tile.alloc_shared : !tile.shared<128x64xbf16>
  %zero = arith.constant 0 : i64
  // CHECK: tile.slice %[[S]][%{{.*}}, %{{.*}}] : <128x64xbf16> to <32x64xbf16>
  %page = tile.slice %s[%o, %zero] : !tile.shared<128x64xbf16> to !tile.shared<32x64xbf16>
  tile.return
}

// Rows of a shared tile may be several axes of a window.
// CHECK-LABEL: tile.kernel @rows
tile.kernel @rows(%x: !tile.global<?x16x64xbf16>, %o: i64) {
  %s = tile.alloc_shared : !tile.shared<64x64xbf16>
  %w = tile.window %x[%o, %o, %o] dims = [0, 1, 2] : !tile.global<?x16x64xbf16> to !tile.window<4x16x64xbf16>
  // CHECK: tile.copy %{{.*}}, %{{.*}} : !tile.window<4x16x64xbf16> to !tile.shared<64x64xbf16>
  tile.copy %w, %s : !tile.window<4x16x64xbf16> to !tile.shared<64x64xbf16>
  tile.return
}

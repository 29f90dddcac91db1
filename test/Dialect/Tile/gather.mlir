// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @rows(
tile.kernel @rows(%x: !tile.global<?x64xbf16>, %y: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32xi32>
  %mask = arith.constant dense<true> : tensor<32xi1>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %v = tile.window %y[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %s = tile.alloc_shared : !tile.shared<32x64xbf16>
  // CHECK: %[[A:.*]] = tile.gather %{{.*}}[%{{.*}}] axis = 0 : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  %a = tile.gather %w[%index] axis = 0 : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  // CHECK: tile.gather %{{.*}}[%{{.*}}] axis = 0 where %{{.*}} : tensor<32xi1> pad 1.000000e+00 : bf16 : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  %b = tile.gather %w[%index] axis = 0 where %mask : tensor<32xi1> pad 1.0 : bf16 : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  // CHECK: tile.gather_copy %{{.*}}[%{{.*}}], %{{.*}} axis = 0 where %{{.*}} : tensor<32xi1> : <32x64xbf16>, tensor<32xi32> to <32x64xbf16>
  tile.gather_copy %w[%index], %s axis = 0 where %mask : tensor<32xi1> : !tile.window<32x64xbf16>, tensor<32xi32> to !tile.shared<32x64xbf16>
  // CHECK: tile.scatter %[[A]], %{{.*}}[%{{.*}}] axis = 0 where %{{.*}} : tensor<32xi1> : tensor<32x64xbf16>, tensor<32xi32> to !tile.window<32x64xbf16>
  tile.scatter %a, %v[%index] axis = 0 where %mask : tensor<32xi1> : tensor<32x64xbf16>, tensor<32xi32> to !tile.window<32x64xbf16>
  tile.return
}

// One index for each element; a table with an axis of another length.
// CHECK-LABEL: tile.kernel @elements(
tile.kernel @elements() {
  %index = arith.constant dense<1> : tensor<32x64xi64>
  %table = tile.alloc_shared : !tile.shared<7x64xf32>
  // CHECK: %[[A:.*]] = tile.gather %{{.*}}[%{{.*}}] axis = 0 : !tile.shared<7x64xf32>, tensor<32x64xi64> to tensor<32x64xf32>
  %a = tile.gather %table[%index] axis = 0 : !tile.shared<7x64xf32>, tensor<32x64xi64> to tensor<32x64xf32>
  // CHECK: tile.scatter %[[A]], %{{.*}}[%{{.*}}] axis = 0 : tensor<32x64xf32>, tensor<32x64xi64> to !tile.shared<7x64xf32>
  tile.scatter %a, %table[%index] axis = 0 : tensor<32x64xf32>, tensor<32x64xi64> to !tile.shared<7x64xf32>
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @moves
tile.kernel @moves(%x: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %x[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %s = tile.alloc_shared : !tile.shared<64xf32>
  // CHECK: %[[F:.*]] = tile.load %{{.*}} pad 0xFF800000 : f32 : !tile.window<64xf32> to tensor<64xf32>
  %f = tile.load %w pad 0xFF800000 : f32 : !tile.window<64xf32> to tensor<64xf32>
  // CHECK: tile.store %[[F]], %{{.*}} : tensor<64xf32> to !tile.shared<64xf32>
  tile.store %f, %s : tensor<64xf32> to !tile.shared<64xf32>
  // CHECK: %[[G:.*]] = tile.load %{{.*}} : !tile.shared<64xf32> to tensor<64xf32>
  %g = tile.load %s : !tile.shared<64xf32> to tensor<64xf32>
  // CHECK: tile.store %[[G]], %{{.*}} : tensor<64xf32> to !tile.window<64xf32>
  tile.store %g, %w : tensor<64xf32> to !tile.window<64xf32>
  // CHECK: %[[E:.*]] = tile.load_scalar %{{.*}}[%{{.*}}] : !tile.global<?xf32> to f32
  %e = tile.load_scalar %x[%o] : !tile.global<?xf32> to f32
  // CHECK: tile.store_scalar %[[E]], %{{.*}}[%{{.*}}] : f32 to !tile.global<?xf32>
  tile.store_scalar %e, %x[%o] : f32 to !tile.global<?xf32>
  tile.return
}

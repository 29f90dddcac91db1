// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @atomics
func.func @atomics(%x: !tile.global<?xi32>, %w: !tile.window<64xf32>, %i: tensor<64xi32>, %m: tensor<64xi1>,
                     %v: tensor<64xi32>, %f: tensor<64xf32>, %s: i32, %o: i64) {
  %bins = tile.alloc_shared : !tile.shared<32xi32>
  // CHECK: tile.atomic add %{{.*}}, %{{.*}} : tensor<64xf32> to !tile.window<64xf32>
  tile.atomic add %f, %w : tensor<64xf32> to !tile.window<64xf32>
  // CHECK: tile.atomic add %{{.*}}, %{{.*}}[%{{.*}} : tensor<64xi32>] axis = 0 where %{{.*}} : tensor<64xi1> order = release scope = cta : tensor<64xi32> to !tile.shared<32xi32>
  tile.atomic add %v, %bins[%i : tensor<64xi32>] axis = 0 where %m : tensor<64xi1> order = release scope = cta : tensor<64xi32> to !tile.shared<32xi32>
  // CHECK: tile.atomic cas %{{.*}}, %{{.*}}[%{{.*}} : tensor<64xi32>] axis = 0 compare %{{.*}} : tensor<64xi32> : tensor<64xi32> to !tile.shared<32xi32> -> tensor<64xi32>
  %old = tile.atomic cas %v, %bins[%i : tensor<64xi32>] axis = 0 compare %v : tensor<64xi32> : tensor<64xi32> to !tile.shared<32xi32> -> tensor<64xi32>
  // CHECK: tile.atomic_scalar add %{{.*}}, %{{.*}}[%{{.*}}] order = acq_rel scope = system : i32 to !tile.global<?xi32> -> i32
  %ticket = tile.atomic_scalar add %s, %x[%o] order = acq_rel scope = system : i32 to !tile.global<?xi32> -> i32
  // CHECK: tile.fence order = release scope = gpu
  tile.fence order = release scope = gpu
  return
}

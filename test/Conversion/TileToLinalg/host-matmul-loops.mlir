// RUN: tile-opt --host-matmul-loops %s | FileCheck %s

// 6 rows, 27 columns: blocks of 4 x 16, 4 x 8 and 4 x 1, and single rows of each width.
// CHECK-LABEL: func.func @tails(
// CHECK-SAME: %[[A:[a-z0-9_]+]]: memref<6x5xf32>, %[[B:[a-z0-9_]+]]: memref<5x27xf32>, %[[C:[a-z0-9_]+]]: memref<6x27xf32>
func.func @tails(%a: memref<6x5xf32>, %b: memref<5x27xf32>, %c: memref<6x27xf32>) {
  // CHECK: scf.for %[[J:[a-z0-9_]+]] =
  // CHECK: scf.for %[[I:[a-z0-9_]+]] =
  // CHECK-COUNT-8: vector.load %[[C]]
  // CHECK: %[[SUMS:[a-z0-9_]+]]:8 = scf.for %[[K:[a-z0-9_]+]] = {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
  // CHECK: vector.load %[[B]][%[[K]], %[[J]]]
  // CHECK: vector.load %[[B]]
  // CHECK: memref.load %[[A]]
  // CHECK: vector.fma
  // CHECK-COUNT-8: vector.store %{{.*}}, %[[C]]
  // The rows left over.
  // CHECK-COUNT-2: vector.load %[[C]]
  // CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
  // CHECK-COUNT-4: vector.load %[[C]]
  // CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
  // CHECK: vector<1xf32>
  // CHECK-NOT: linalg.matmul
  linalg.matmul ins(%a, %b : memref<6x5xf32>, memref<5x27xf32>) outs(%c : memref<6x27xf32>)
  return
}

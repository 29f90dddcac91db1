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

// A batch is a loop of products.
// CHECK-LABEL: func.func @batch(
// CHECK-SAME: %[[A:[a-z0-9_]+]]: memref<3x4x5xf32>, %[[B:[a-z0-9_]+]]: memref<3x5x16xf32>, %[[C:[a-z0-9_]+]]: memref<3x4x16xf32>
func.func @batch(%a: memref<3x4x5xf32>, %b: memref<3x5x16xf32>, %c: memref<3x4x16xf32>) {
  // CHECK: %[[THREE:.*]] = arith.constant 3 : index
  // CHECK: scf.for %[[G:[a-z0-9_]+]] = %{{.*}} to %[[THREE]]
  // CHECK: scf.for %[[J:[a-z0-9_]+]] =
  // CHECK: scf.for %[[I:[a-z0-9_]+]] =
  // CHECK: vector.load %[[C]][%[[G]], %[[I]], %[[J]]]
  // CHECK: scf.for %[[K:[a-z0-9_]+]] =
  // CHECK: vector.load %[[B]][%[[G]], %[[K]], %[[J]]]
  // CHECK: memref.load %[[A]][%[[G]], %[[I]], %[[K]]]
  // CHECK: vector.store %{{.*}}, %[[C]][%[[G]], %[[I]], %[[J]]]
  // CHECK-NOT: linalg.batch_matmul
  linalg.batch_matmul ins(%a, %b : memref<3x4x5xf32>, memref<3x5x16xf32>) outs(%c : memref<3x4x16xf32>)
  return
}

// RUN: tile-opt --convert-tile-to-linalg --cse %s | FileCheck %s

// The index outermost: a row is looked up once, under one test, and then moved in the order of memory.
// CHECK-LABEL: func.func private @rows(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: memref<?x8xf32, strided<[?, 1]>>
tile.kernel @rows(%x: !tile.global<?x8xf32>, %origin: i64) {
  %c0 = arith.constant 0 : i64
  %index = arith.constant dense<[3, -1]> : tensor<2xi32>
  %mask = arith.constant dense<true> : tensor<2xi1>
  %w = tile.window %x[%origin, %c0] dims = [0, 1] : !tile.global<?x8xf32> to !tile.window<2x8xf32>
  // CHECK: %[[FRESH:[a-z0-9_]+]] = memref.alloc
  // CHECK: linalg.fill {{.*}} outs(%[[FRESH]]
  // CHECK: scf.for %[[I:[a-z0-9_]+]] =
  // CHECK: %[[FOUND:[a-z0-9_]+]] = tensor.extract %{{.*}}[%[[I]]] : tensor<2xi32>
  // CHECK: %[[WIDE:[a-z0-9_]+]] = arith.extsi %[[FOUND]]
  // CHECK: %[[ROW:[a-z0-9_]+]] = arith.addi %{{.*}}, %[[WIDE]]
  // CHECK: %[[IN:[a-z0-9_]+]] = arith.cmpi ult, %[[ROW]]
  // CHECK: %[[KEPT:[a-z0-9_]+]] = tensor.extract %{{.*}}[%[[I]]] : tensor<2xi1>
  // CHECK: %[[THERE:[a-z0-9_]+]] = arith.andi %[[IN]], %[[KEPT]]
  // CHECK: scf.if %[[THERE]]
  // CHECK: scf.for %[[J:[a-z0-9_]+]] =
  // CHECK: %[[V:[a-z0-9_]+]] = memref.load %[[X]]
  // CHECK: memref.store %[[V]], %[[FRESH]][%[[I]], %[[J]]]
  %r = tile.gather %w[%index] axis = 0 where %mask : tensor<2xi1> : !tile.window<2x8xf32>, tensor<2xi32> to tensor<2x8xf32>
  %s = tile.alloc_shared : !tile.shared<2x8xf32>
  tile.store %r, %s : tensor<2x8xf32> to !tile.shared<2x8xf32>
  tile.return
}

// Each element under its own test; a shared tile's extent is the bound.
// CHECK-LABEL: func.func private @elements(
tile.kernel @elements() {
  %index = arith.constant dense<7> : tensor<2x8xi64>
  %value = arith.constant dense<1.0> : tensor<2x8xf32>
  // CHECK: %[[S:[a-z0-9_]+]] = memref.alloc() {alignment = 64 : i64} : memref<5x8xf32>
  %s = tile.alloc_shared : !tile.shared<5x8xf32>
  // CHECK: scf.for %[[I:[a-z0-9_]+]] =
  // CHECK: scf.for %[[J:[a-z0-9_]+]] =
  // CHECK: %[[FOUND:[a-z0-9_]+]] = tensor.extract %{{.*}}[%[[I]], %[[J]]] : tensor<2x8xi64>
  // CHECK: %[[IN:[a-z0-9_]+]] = arith.cmpi ult, %[[FOUND]], %{{.*}} : i64
  // CHECK: scf.if %[[IN]]
  // CHECK: memref.store %{{.*}}, %[[S]][%{{.*}}, %[[J]]]
  tile.scatter %value, %s[%index] axis = 0 : tensor<2x8xf32>, tensor<2x8xi64> to !tile.shared<5x8xf32>
  tile.return
}

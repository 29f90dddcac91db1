// RUN: tile-opt --host-copy-loops %s | FileCheck %s

// Upstream would call `memrefCopy` of its runtime library here.
// CHECK-LABEL: func.func @strided
// CHECK-NOT: memref.copy
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: memref.store %[[X]], %{{.*}}[%[[I]], %[[J]]]
func.func @strided(%a: memref<4x8xi32, strided<[?, 1], offset: ?>>, %b: memref<4x8xi32>) {
  memref.copy %a, %b : memref<4x8xi32, strided<[?, 1], offset: ?>> to memref<4x8xi32>
  return
}

// CHECK-LABEL: func.func @contiguous
// CHECK: memref.copy
func.func @contiguous(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  memref.copy %a, %b : memref<4x8xi32> to memref<4x8xi32>
  return
}

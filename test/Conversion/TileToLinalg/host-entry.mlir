// RUN: tile-opt --host-entry %s | FileCheck %s

// CHECK: func.func @k(%[[PARAMS:[a-z0-9_]+]]: !llvm.ptr, %[[BEGIN:[a-z0-9_]+]]: i64, %[[END:[a-z0-9_]+]]: i64) {
// A tensor: its address, two extents, one stride; the last stride is 1.
// CHECK: llvm.getelementptr %[[PARAMS]][0]
// CHECK: %[[SLOT:[a-z0-9_]+]] = llvm.load {{.*}} -> !llvm.ptr
// CHECK: %[[DATA:[a-z0-9_]+]] = llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.getelementptr %[[PARAMS]][1]
// CHECK: %[[ROWS:[a-z0-9_]+]] = llvm.load {{.*}} -> i64
// CHECK: llvm.getelementptr %[[PARAMS]][2]
// CHECK: llvm.getelementptr %[[PARAMS]][3]
// CHECK: %[[STRIDE:[a-z0-9_]+]] = llvm.load {{.*}} -> i64
// CHECK: %[[ONE:[a-z0-9_]+]] = llvm.mlir.constant(1 : i64)
// CHECK: llvm.insertvalue %[[DATA]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[ROWS]], %{{.*}}[3, 0]
// CHECK: llvm.insertvalue %[[STRIDE]], %{{.*}}[4, 0]
// CHECK: llvm.insertvalue %[[ONE]], %{{.*}}[4, 1]
// CHECK: %[[X:[a-z0-9_]+]] = builtin.unrealized_conversion_cast {{.*}} to memref<?x8xf32, strided<[?, 1]>>
// CHECK: llvm.getelementptr %[[PARAMS]][4]
// CHECK: %[[SCALE:[a-z0-9_]+]] = llvm.load {{.*}} -> f32
// CHECK: llvm.getelementptr %[[PARAMS]][5]
// CHECK: %[[DIM:[a-z0-9_]+]] = llvm.load {{.*}} -> i64
// CHECK: scf.for %[[CTA:[a-z0-9_]+]] = %[[BEGIN]] to %[[END]]
// CHECK: func.call @k.cta(%[[X]], %[[SCALE]], %[[DIM]], %[[CTA]])

// CHECK: func.func private @k.cta
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
func.func private @k(%x: memref<?x8xf32, strided<[?, 1]>>, %scale: f32, %dim: i64, %id: i64)
    attributes {tilec.host_cta} {
  return
}

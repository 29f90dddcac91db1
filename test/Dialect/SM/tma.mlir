// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @tensor_copies
// CHECK-SAME: %[[MAP:.*]]: !sm.tensor_map
func.func @tensor_copies(%map: !sm.tensor_map, %a: i32, %bar: i32, %x: i32, %y: i32) {
  // CHECK: sm.tma_prefetch %[[MAP]] : !sm.tensor_map
  sm.tma_prefetch %map : !sm.tensor_map
  // CHECK: sm.tma_load %{{.*}}, %[[MAP]][%{{.*}}, %{{.*}}], %{{.*}} : !sm.tensor_map
  sm.tma_load %a, %map[%x, %y], %bar : !sm.tensor_map
  // CHECK: sm.tma_store %[[MAP]][%{{.*}}, %{{.*}}], %{{.*}} : !sm.tensor_map
  sm.tma_store %map[%x, %y], %a : !sm.tensor_map
  // CHECK: sm.tma_commit
  sm.tma_commit
  // CHECK: sm.tma_wait {pending = 0 : i64, read}
  sm.tma_wait {pending = 0 : i64, read}
  return
}

// CHECK-LABEL: func.func @bulk_copy
// CHECK-SAME: (%[[TARGET:.*]]: i32, %[[SOURCE:.*]]: i64, %[[BYTES:.*]]: i32, %[[BARRIER:.*]]: i32)
func.func @bulk_copy(%target: i32, %source: i64, %n: i32, %bar: i32) {
  // CHECK: sm.bulk_load %[[TARGET]], %[[SOURCE]], %[[BYTES]], %[[BARRIER]]
  sm.bulk_load %target, %source, %n, %bar
  return
}

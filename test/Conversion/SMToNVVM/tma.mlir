// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @tensor_copies
// CHECK-SAME: %[[MAP:.*]]: !llvm.ptr {
func.func @tensor_copies(%map: !sm.tensor_map, %a: i32, %bar: i32, %x: i32, %y: i32)
    attributes {tile.num_warps = 4 : i64} {
  // CHECK: nvvm.prefetch tensormap, %[[MAP]] : !llvm.ptr
  sm.tma_prefetch %map : !sm.tensor_map
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %{{.*}}, box[%{{.*}}, %{{.*}}] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  sm.tma_load %a, %map[%x, %y], %bar : !sm.tensor_map
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[MAP]], %{{.*}}, box[%{{.*}}, %{{.*}}] : !llvm.ptr, <3>
  sm.tma_store %map[%x, %y], %a : !sm.tensor_map
  // CHECK: nvvm.cp.async.bulk.commit.group
  sm.tma_commit
  // CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
  sm.tma_wait {pending = 0 : i64, read}
  // CHECK: nvvm.cp.async.bulk.wait_group 1{{$}}
  sm.tma_wait {pending = 1 : i64}
  return
}

// CHECK-LABEL: llvm.func @bulk_copy
func.func @bulk_copy(%target: i32, %source: i64, %n: i32, %bar: i32) attributes {tile.num_warps = 4 : i64} {
  // CHECK: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr<3>, <1>
  sm.bulk_load %target, %source, %n, %bar
  return
}

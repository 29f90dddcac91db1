// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @accesses
func.func @accesses(%global: i64) {
  // CHECK: %[[BASE:.*]] = sm.shared_base
  %base = sm.shared_base
  // CHECK: sm.load_global %{{.*}} : vector<8xbf16>
  %v = sm.load_global %global : vector<8xbf16>
  // CHECK: sm.store_shared %{{.*}}, %[[BASE]] : vector<8xbf16>
  sm.store_shared %v, %base : vector<8xbf16>
  // CHECK: sm.load_shared %[[BASE]] : vector<16xf8E4M3FN>
  %w = sm.load_shared %base : vector<16xf8E4M3FN>
  // CHECK: sm.store_global %{{.*}}, %{{.*}} : vector<16xf8E4M3FN>
  sm.store_global %w, %global : vector<16xf8E4M3FN>
  // CHECK: sm.load_shared %[[BASE]] : f32
  %s = sm.load_shared %base : f32
  sm.store_global %s, %global : f32
  return
}

// CHECK-LABEL: func.func @asynchronous(
// CHECK-SAME: %[[TARGET:[^:]*]]: i32,
func.func @asynchronous(%target: i32, %source: i64, %n: i32) {
  // CHECK: sm.cp_async %{{.*}}, %{{.*}}, %{{.*}} {bytes = 8 : i64}
  sm.cp_async %target, %source, %n {bytes = 8 : i64}
  // CHECK: sm.cp_async_arrive %[[TARGET]]{{$}}
  sm.cp_async_arrive %target
  // CHECK: sm.cp_async_commit
  sm.cp_async_commit
  // CHECK: sm.cp_async_wait {pending = 1 : i64}
  sm.cp_async_wait {pending = 1 : i64}
  return
}

/// A load is read again after a barrier, but only once before it.
// RUN: tile-opt %s -cse | FileCheck %s --check-prefix=CSE
// CSE-LABEL: func.func @loads_and_barrier
func.func @loads_and_barrier(%a: i32, %out: i64) {
  // CSE: sm.load_shared
  // CSE-NOT: sm.load_shared
  // CSE: sm.barrier
  // CSE: sm.load_shared
  %x = sm.load_shared %a : f32
  %y = sm.load_shared %a : f32
  sm.barrier
  %z = sm.load_shared %a : f32
  %s = arith.addf %x, %y : f32
  %t = arith.addf %s, %z : f32
  sm.store_global %t, %out : f32
  return
}

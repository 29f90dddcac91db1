// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @atomics
func.func @atomics(%g: i64, %s: i32, %v: i32, %w: i64, %f: f32) -> (i32, i64, f32) {
  // CHECK: sm.atomic_global add relaxed gpu %{{.*}}, %{{.*}} : i32
  sm.atomic_global add relaxed gpu %v, %g : i32
  // CHECK: sm.atomic_global add release sys %{{.*}}, %{{.*}} : f32
  sm.atomic_global add release sys %f, %g : f32
  // CHECK: sm.atomic_global umin acquire cta %{{.*}}, %{{.*}} : i64 -> i64
  %a = sm.atomic_global umin acquire cta %w, %g : i64 -> i64
  // CHECK: sm.atomic_shared cas acq_rel cta %{{.*}}, %{{.*}} compare %{{.*}} : i32 : i32 -> i32
  %b = sm.atomic_shared cas acq_rel cta %v, %s compare %v : i32 : i32 -> i32
  // CHECK: sm.atomic_shared exch relaxed cta %{{.*}}, %{{.*}} : f32 -> f32
  %c = sm.atomic_shared exch relaxed cta %f, %s : f32 -> f32
  // CHECK: sm.atomic_global inc relaxed gpu %{{.*}}, %{{.*}} : i32 -> i32
  %d = sm.atomic_global inc relaxed gpu %v, %g : i32 -> i32
  // CHECK: sm.fence acq_rel gpu
  sm.fence acq_rel gpu
  return %b, %a, %c : i32, i64, f32
}

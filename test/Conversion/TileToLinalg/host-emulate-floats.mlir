// RUN: tile-opt --host-emulate-floats --canonicalize %s | FileCheck %s

// Rounded after each of the two operations.
// CHECK-LABEL: func.func @bf16(
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @bf16(%x: bf16) -> bf16 {
  %p = arith.mulf %x, %x : bf16
  %s = arith.addf %p, %x : bf16
  return %s : bf16
}

// CHECK-LABEL: func.func @f16(
// CHECK-NEXT: arith.mulf {{.*}} : f16
func.func @f16(%x: f16) -> f16 {
  %p = arith.mulf %x, %x : f16
  return %p : f16
}

// The upper byte of an f16.
// CHECK-LABEL: func.func @e5m2(
// CHECK: %[[BYTE:[a-z0-9_]+]] = arith.bitcast %{{.*}} : f8E5M2 to i8
// CHECK: arith.shli
// CHECK: arith.bitcast {{.*}} : i16 to f16
// CHECK: arith.extf {{.*}} : f16 to f32
func.func @e5m2(%x: f8E5M2) -> f32 {
  %r = arith.extf %x : f8E5M2 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @e4m3(
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast {{.*}} : i8 to f8E4M3FN
func.func @e4m3(%x: f32) -> f8E4M3FN {
  %r = arith.truncf %x : f32 to f8E4M3FN
  return %r : f8E4M3FN
}

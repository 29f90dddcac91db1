// RUN: tile-opt %s -convert-sm-to-nvvm | FileCheck %s

// A side effect that never happens but needs every element; one that costs no instruction; and a selection that never
// is the other one.
// CHECK-LABEL: llvm.func @k
// CHECK: %[[SUM:.*]] = llvm.fadd
// CHECK: llvm.inline_asm has_side_effects {{.*}}"{ .reg .pred p; setp.eq.b32 p, $0, 0x7fc0dead; @p bar.arrive 15, 128; }", "f" %[[SUM]] : (f32) -> ()
// CHECK: llvm.inline_asm has_side_effects {{.*}}"", ""  : () -> ()
// CHECK: llvm.inline_asm has_side_effects {{.*}}"", "=l,0" %{{.*}} : (i64) -> i64
// CHECK: %[[ZEROTH:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[FIRST:.*]] = llvm.extractelement %arg3[%[[ZEROTH]] : i32] : vector<4xf32>
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[FIRST]] : f32 to i32
// CHECK: %[[PATTERN:.*]] = llvm.mlir.constant(2143346349 : i32)
// CHECK: %[[NEVER:.*]] = llvm.icmp "eq" %[[BITS]], %[[PATTERN]]
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0.0
// CHECK: %[[A:.*]] = llvm.extractelement %[[SUMS:.*]][%{{.*}} : i32] : vector<2xf32>
// CHECK: %[[B:.*]] = llvm.extractelement %[[SUMS]][%{{.*}} : i32] : vector<2xf32>
// CHECK: llvm.select %[[NEVER]], %[[ZERO]], %[[A]] : i1, f32
// CHECK: llvm.select %[[NEVER]], %[[ZERO]], %[[B]] : i1, f32
func.func @k(%a: f32, %b: f32, %n: i64, %acc: vector<4xf32>) attributes {tile.num_warps = 4 : i64} {
  %sums = vector.from_elements %a, %b : vector<2xf32>
  sm.order %sums : vector<2xf32>
  sm.apart
  %same = sm.opaque %n : i64
  %late = sm.behind %sums of %acc : vector<2xf32>, vector<4xf32>
  return
}

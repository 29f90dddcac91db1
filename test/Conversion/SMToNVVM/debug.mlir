// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s
// RUN: tile-opt %s --sm-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.mlir.global internal constant @[[TEXT:.*]]("x[%d] = %g of %lld\0A\00")
// CHECK-LABEL: llvm.func @print
// The values lie on the stack, one place for each call.
// CHECK: %[[PLACE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, f64, i64)>
// CHECK: llvm.mlir.addressof @[[TEXT]]
// CHECK: llvm.fpext %{{.*}} : f32 to f64
// CHECK: llvm.getelementptr %[[PLACE]][0, 1]
// CHECK: llvm.call @vprintf(%{{.*}}, %[[PLACE]])
// LLVM-NOT: sm.
func.func @print(%i: i32, %x: f32, %n: i64) attributes {tile.num_warps = 4 : i64} {
  sm.print "x[%d] = %g of %lld\n"(%i, %x, %n) : i32, f32, i64
  return
}

// CHECK-LABEL: llvm.func @trap
// CHECK: %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.call @vprintf(%{{.*}}, %[[NONE]])
// CHECK: llvm.inline_asm has_side_effects {{.*}}"trap;"
func.func @trap() attributes {tile.num_warps = 4 : i64} {
  sm.print "bad\n"
  sm.trap "bad"
  return
}

// RUN: tile-opt %s --pass-pipeline='builtin.module(sm-to-llvm,print-ptx{line-info=true})' -o /dev/null | FileCheck %s
// RUN: tile-opt %s --sm-to-llvm --print-ptx -o /dev/null | FileCheck %s --check-prefix=NONE

/// The author's lines reach the PTX when asked for, and only then.
// CHECK: .entry lines(
// CHECK: .loc {{[0-9]+}} 42 7
// CHECK: ex2.approx.ftz.f32
// CHECK: .file {{[0-9]+}} "{{.*}}Softmax.cpp"
// NONE-NOT: .loc
func.func @lines(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  %0 = sm.exp2 %x : f32 loc("Softmax.cpp":42:7)
  sm.store_global %0, %p : f32
  return
}

// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @products
func.func @products(%s: i32, %out: i64) attributes {tile.num_warps = 4 : i64} {
  %c = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r" %{{.*}} : (i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %a = sm.ldmatrix %s : vector<4xi32>
  // CHECK: "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];", "=r,=r,r"
  %b = sm.ldmatrix %s {transpose} : vector<2xi32>
  // CHECK: "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1+32];", "=r,r" %{{.*}} : (i32) -> i32
  %c32 = arith.constant 32 : i32
  %s32 = arith.addi %s, %c32 : i32
  %one = sm.ldmatrix %s32 : vector<1xi32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.bf16"({{.*}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %0 = sm.mma %a, %b, %c {type = bf16}
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"({{.*}}) : (vector<2xf16>,
  %1 = sm.mma %a, %b, %0 {type = f16}
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
  %2 = sm.mma %a, %b, %1 {type = f8E4M3FN}
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e5m2.e5m2.f32"
  %3 = sm.mma %a, %b, %2 {type = f8E5M2}
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e5m2.e4m3.f32"
  %4 = sm.mma %a, %b, %3 {type = f8E5M2, type_b = f8E4M3FN}
  sm.store_global %4, %out : vector<4xf32>
  // CHECK: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>
  sm.stmatrix %a, %s : vector<4xi32>
  // CHECK: nvvm.stmatrix %{{.*}}, %{{.*}} {{.*}}layout = #nvvm.mma_layout<col>
  sm.stmatrix %one, %s {transpose} : vector<1xi32>
  return
}

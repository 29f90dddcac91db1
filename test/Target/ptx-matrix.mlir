// RUN: tile-opt %s --sm-to-llvm --print-ptx -o /dev/null | FileCheck %s
// RUN: tile-opt %s --sm-to-llvm --print-device-llvm -o /dev/null | FileCheck %s --check-prefix=LLVM

/// A loop of products keeps its accumulators in place: no move stands between the instructions, and
/// each asm is convergent.
// CHECK-LABEL: .entry warpgroup(
// CHECK: $L__BB0_2:
// CHECK-NOT: mov.b32
// CHECK: wgmma.fence.sync.aligned;
// CHECK-NOT: mov.b32
// CHECK: setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {[[ACC:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, p, 1, 1, 1; }
// CHECK-NOT: mov.b32
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {[[ACC]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, p, 1, 1, 0, 0; }
// CHECK-NOT: mov.b32
// CHECK: wgmma.commit_group.sync.aligned;
// CHECK-NOT: mov.b32
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-NOT: mov.b32
// CHECK: bra
// LLVM: call {{.*}} asm sideeffect "{ .reg .pred p; {{.*}} #[[CONVERGENT:[0-9]+]]
// LLVM: "denormal-fp-math-f32"="preserve-sign,preserve-sign"
// LLVM: attributes #[[CONVERGENT]] = { convergent
func.func @warpgroup(%out: i64, %d: i64, %e: i64, %n: i64) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %init = arith.constant dense<0.0> : vector<8xf32>
  %a = sm.load_global %out : vector<4xi32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> vector<8xf32> : i64 {
    sm.wgmma_fence
    %r = sm.wgmma %acc, %a, %d {type = bf16, transpose_b} : vector<8xf32>, vector<4xi32>
    %s = sm.wgmma %r, %d, %e {type = bf16} : vector<8xf32>, i64
    sm.wgmma_commit
    %w = sm.wgmma_wait %s {pending = 0 : i64} : vector<8xf32>
    scf.yield %w : vector<8xf32>
  }
  %low = vector.extract_strided_slice %sum {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %high = vector.extract_strided_slice %sum {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %both = arith.addf %low, %high : vector<4xf32>
  sm.store_global %both, %out : vector<4xf32>
  return
}

// CHECK-LABEL: .entry warp(
func.func @warp(%s: i32, %out: i64) attributes {tile.num_warps = 4 : i64} {
  %c = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
  %a = sm.ldmatrix %s : vector<4xi32>
  // CHECK: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
  %b = sm.ldmatrix %s {transpose} : vector<2xi32>
  // CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16
  %one = sm.ldmatrix %s : vector<1xi32>
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
  %0 = sm.mma %a, %b, %c {type = bf16}
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  %1 = sm.mma %a, %b, %0 {type = f16}
  // CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
  %2 = sm.mma %a, %b, %1 {type = f8E4M3FN}
  // CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32
  %3 = sm.mma %a, %b, %2 {type = f8E5M2}
  sm.store_global %3, %out : vector<4xf32>
  // CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16
  sm.stmatrix %a, %s : vector<4xi32>
  // CHECK: stmatrix.sync.aligned.m8n8.x1.trans.shared.b16
  sm.stmatrix %one, %s {transpose} : vector<1xi32>
  return
}

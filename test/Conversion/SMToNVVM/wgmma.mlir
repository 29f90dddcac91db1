// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

/// Accumulators are outputs tied to inputs by number; with `init` they start undefined.
// CHECK-LABEL: llvm.func @descriptors
func.func @descriptors(%out: i64, %d: i64) attributes {tile.num_warps = 4 : i64} {
  %acc = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: nvvm.wgmma.fence.aligned
  sm.wgmma_fence
  // CHECK: %[[U:.*]] = llvm.mlir.undef : f32
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $8, $9, p, 1, 1, 0, 1; }", "=f,=f,=f,=f,0,1,2,3,l,l" %[[U]], %[[U]], %[[U]], %[[U]], %{{.*}}, %{{.*}} :
  %r = sm.wgmma %acc, %d, %d {type = bf16, init, transpose_b} : vector<4xf32>, i64
  // CHECK: "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, p, 1, 1, 1, 0; }"
  %s = sm.wgmma %r, %d, %d {type = f16, transpose_a} : vector<4xf32>, i64
  // CHECK: "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {$0, $1, $2, $3}, $8, $9, p, 1, 1; }"
  %t = sm.wgmma %s, %d, %d {type = f8E4M3FN} : vector<4xf32>, i64
  // CHECK: nvvm.wgmma.commit.group.sync.aligned
  sm.wgmma_commit
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"
  %w = sm.wgmma_wait %t {pending = 0 : i64} : vector<4xf32>
  sm.store_global %w, %out : vector<4xf32>
  return
}

/// The A registers pass through an empty asm before the fence: what writes them stays above it.
// CHECK-LABEL: llvm.func @registers
func.func @registers(%out: i64, %d: i64) attributes {tile.num_warps = 4 : i64} {
  %acc = arith.constant dense<0.0> : vector<4xf32>
  %a = sm.load_global %out : vector<4xi32>
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"", "=r,=r,=r,=r,0,1,2,3"
  // CHECK: nvvm.wgmma.fence.aligned
  %p = sm.wgmma_fence of %a : vector<4xi32>
  // CHECK: {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, p, 1, 1, 1; }", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l"
  %r = sm.wgmma %acc, %p, %d {type = bf16, transpose_b} : vector<4xf32>, vector<4xi32>
  sm.wgmma_commit
  // CHECK: "wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,=r,=r,=r,=r,0,1,2,3,4,5,6,7"
  %w, %q = sm.wgmma_wait %r, %p {pending = 1 : i64} : vector<4xf32>, vector<4xi32>
  // CHECK: "wgmma.wait_group.sync.aligned 0;", ""
  sm.wgmma_wait {pending = 0 : i64}
  sm.store_global %w, %out : vector<4xf32>
  sm.store_global %q, %out : vector<4xi32>
  return
}

/// A constant that was added to a descriptor is added inside, out of reach of code motion.
// CHECK-LABEL: llvm.func @offsets
// CHECK: %[[D:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
func.func @offsets(%out: i64, %start: i64, %n: i64, %zero: i64, %one: i64) attributes {tile.num_warps = 4 : i64} {
  %acc = arith.constant dense<0.0> : vector<4xf32>
  %c2 = arith.constant 2 : i64
  %c512 = arith.constant 512 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %acc) -> (vector<4xf32>) : i64 {
    %d = arith.addi %start, %i : i64
    %a = arith.addi %d, %c2 : i64
    %b = arith.addi %d, %c512 : i64
    // CHECK: "{ .reg .b64 da; add.s64 da, $8, 2; .reg .b64 db; add.s64 db, $9, 512; .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, da, db, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,0,1,2,3,l,l" {{.*}}, %[[D]], %[[D]] :
    %r = sm.wgmma %s, %a, %b {type = bf16, init} : vector<4xf32>, i64
    sm.wgmma_commit
    %w = sm.wgmma_wait %r {pending = 0 : i64} : vector<4xf32>
    scf.yield %w : vector<4xf32>
  }
  sm.store_global %sum, %out : vector<4xf32>
  return
}

/// What stays in place through a loop is computed in front of it.
// CHECK-LABEL: llvm.func @in_place
// CHECK-SAME: (%{{[^:]*}}: i64, %[[D:[^:]*]]: i64
// CHECK: %[[A:.*]] = arith.addi %[[D]],
// CHECK: scf.for
// CHECK: "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async{{.*}} {$0, $1, $2, $3}, $8, $9, p, 1, 1, 0, 0; }", {{.*}}, %[[A]], %[[D]] :
func.func @in_place(%out: i64, %d: i64, %n: i64, %zero: i64, %one: i64) attributes {tile.num_warps = 4 : i64} {
  %acc = arith.constant dense<0.0> : vector<4xf32>
  %c2 = arith.constant 2 : i64
  %a = arith.addi %d, %c2 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %acc) -> (vector<4xf32>) : i64 {
    %r = sm.wgmma %s, %a, %d {type = bf16} : vector<4xf32>, i64
    sm.wgmma_commit
    %w = sm.wgmma_wait %r {pending = 0 : i64} : vector<4xf32>
    scf.yield %w : vector<4xf32>
  }
  sm.store_global %sum, %out : vector<4xf32>
  return
}

// Through the innermost loop: a work item's own tile stays in place while its loop runs.
// CHECK-LABEL: llvm.func @in_place_for_an_item
// CHECK: scf.for
// CHECK: %[[A:.*]] = arith.addi
// CHECK-NEXT: scf.for
// CHECK: "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async{{.*}} {$0, $1, $2, $3}, $8, $9, p, 1, 1, 0, 0; }", {{.*}}, %[[A]],
func.func @in_place_for_an_item(%out: i64, %d: i64, %n: i64, %zero: i64, %one: i64) attributes {tile.num_warps = 4 : i64} {
  %acc = arith.constant dense<0.0> : vector<4xf32>
  scf.for %item = %zero to %n step %one : i64 {
    %c2 = arith.constant 2 : i64
    %a = arith.addi %item, %c2 : i64
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %acc) -> (vector<4xf32>) : i64 {
      %r = sm.wgmma %s, %a, %d {type = bf16} : vector<4xf32>, i64
      sm.wgmma_commit
      %w = sm.wgmma_wait %r {pending = 0 : i64} : vector<4xf32>
      scf.yield %w : vector<4xf32>
    }
    sm.store_global %sum, %out : vector<4xf32>
  }
  return
}

// Two 8-bit types; they have no transposed form, so no flags for it.
// CHECK-LABEL: llvm.func @mixed
func.func @mixed(%out: i64, %a: vector<4xi32>, %d: i64) attributes {tile.num_warps = 4 : i64} {
  %acc = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, p, 1, 1; }
  %r = sm.wgmma %acc, %a, %d {type = f8E4M3FN, type_b = f8E5M2} : vector<4xf32>, vector<4xi32>
  sm.wgmma_commit
  %w = sm.wgmma_wait %r {pending = 0 : i64} : vector<4xf32>
  sm.store_global %w, %out : vector<4xf32>
  return
}

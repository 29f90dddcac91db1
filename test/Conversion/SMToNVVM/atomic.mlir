// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

// Order and scope stand in the instruction; without an old value it does not read back, unless it
// acquires or exchanges.
// CHECK-LABEL: llvm.func @atomics
func.func @atomics(%g: i64, %s: i32, %v: i32, %w: i64, %f: f32) attributes {tile.num_warps = 4 : i64} {
  // CHECK: "red.relaxed.gpu.global.add.u32 [$0], $1;", "l,r"
  sm.atomic_global add relaxed gpu %v, %g : i32
  // CHECK: "red.release.sys.global.add.f32 [$0], $1;", "l,f"
  sm.atomic_global add release sys %f, %g : f32
  // CHECK: "atom.acquire.gpu.global.max.s32 $0, [$1], $2;", "=r,l,r"
  sm.atomic_global max acquire gpu %v, %g : i32
  // CHECK: "atom.acq_rel.cta.global.min.u64 $0, [$1], $2;", "=l,l,l"
  %a = sm.atomic_global umin acq_rel cta %w, %g : i64 -> i64
  // CHECK: "atom.relaxed.gpu.global.and.b32 $0, [$1], $2;", "=r,l,r"
  %b = sm.atomic_global and relaxed gpu %v, %g : i32 -> i32
  // CHECK: "red.relaxed.cta.shared.or.b32 [$0], $1;", "r,r"
  sm.atomic_shared or relaxed cta %v, %s : i32
  // CHECK: "atom.relaxed.cta.shared.exch.b32 $0, [$1], $2;", "=f,r,f"
  sm.atomic_shared exch relaxed cta %f, %s : f32
  // CHECK: "atom.relaxed.gpu.global.inc.u32 $0, [$1], $2;", "=r,l,r"
  %d = sm.atomic_global inc relaxed gpu %v, %g : i32 -> i32
  // The constant part of an address is in the instruction, and what is compared comes first.
  // CHECK: "atom.relaxed.cta.shared.cas.b32 $0, [$1+16], $2, $3;", "=r,r,r,r" %{{.*}}, %[[COMPARE:.*]], %[[VALUE:.*]] :
  %c16 = arith.constant 16 : i32
  %address = arith.addi %s, %c16 : i32
  %c = sm.atomic_shared cas relaxed cta %v, %address compare %b : i32 : i32 -> i32
  // CHECK: "fence.acq_rel.gpu;", "~{memory}"
  sm.fence release gpu
  // CHECK: "fence.acq_rel.sys;"
  sm.fence acquire sys
  return
}

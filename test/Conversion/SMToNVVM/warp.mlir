// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

/// The indices move to the entry, one of each: a shuffle may not stand in a divergent branch.
// CHECK-LABEL: llvm.func @indices
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK: %[[W:.*]] = llvm.lshr %{{.*}}, %{{.*}} : i32
// CHECK: nvvm.shfl.sync idx %{{.*}}, %[[W]], %{{.*}}, %{{.*}} : i32 -> i32
// CHECK: scf.if
// CHECK-NOT: shfl
// CHECK-LABEL: llvm.func @exchange
func.func @indices(%out: i64) attributes {tile.num_warps = 4 : i64} {
  %t = sm.thread_id
  %zero = arith.constant 0 : i32
  %first = arith.cmpi eq, %t, %zero : i32
  scf.if %first {
    %w = sm.warp_id
    %again = sm.warp_id
    %sum = arith.addi %w, %again : i32
    sm.store_global %sum, %out : i32
  }
  return
}

func.func @exchange(%out: i64, %n: i32, %p: i1) attributes {tile.num_warps = 4 : i64} {
  %v = sm.load_global %out : vector<2xf32>
  // CHECK-COUNT-2: nvvm.shfl.sync bfly %{{.*}} : f32 -> f32
  %a = sm.shuffle xor %v, %n : vector<2xf32>
  sm.store_global %a, %out : vector<2xf32>
  %h = sm.load_global %out : vector<4xbf16>
  // CHECK: llvm.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
  // CHECK-COUNT-2: nvvm.shfl.sync idx %{{.*}} : i32 -> i32
  %b = sm.shuffle idx %h, %n : vector<4xbf16>
  sm.store_global %b, %out : vector<4xbf16>
  // CHECK: llvm.zext %{{.*}} : i1 to i32
  // CHECK: nvvm.shfl.sync up
  // CHECK: llvm.trunc %{{.*}} : i32 to i1
  %c = sm.shuffle up %p, %n : i1
  // CHECK: nvvm.vote.sync any
  %d = sm.vote any %c
  // CHECK: nvvm.vote.sync all
  %e = sm.vote all %d
  // CHECK: nvvm.elect.sync
  %f = sm.elect
  %g = arith.andi %e, %f : i1
  // CHECK: nvvm.setmaxregister increase 240
  sm.set_registers increase 240
  scf.if %g {
    %z = arith.constant 1.0 : f32
    sm.store_global %z, %out : f32
  }
  return
}

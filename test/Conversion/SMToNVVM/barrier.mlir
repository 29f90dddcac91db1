// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @barriers
// CHECK-SAME: (%[[ID:[a-z0-9]+]]: i32, %[[THREADS:[a-z0-9]+]]: i32)
func.func @barriers(%id: i32, %threads: i32) attributes {tile.num_warps = 4 : i64} {
  // CHECK: nvvm.barrier{{$}}
  sm.barrier
  // CHECK: nvvm.barrier id = %[[ID]] number_of_threads = %[[THREADS]]
  sm.named_barrier %id, %threads
  // CHECK: nvvm.barrier.arrive id = %[[ID]] number_of_threads = %[[THREADS]]
  sm.named_barrier %id, %threads {arrive}
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  sm.fence_proxy
  return
}

// CHECK-LABEL: llvm.func @mbarriers
func.func @mbarriers(%bar: i32, %n: i32, %leader: i1) attributes {tile.num_warps = 4 : i64} {
  // CHECK: nvvm.mbarrier.init %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
  sm.barrier_init %bar, %n
  // CHECK: nvvm.fence.mbarrier.init
  sm.fence_barrier_init
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"mbarrier.arrive.shared::cta.b64 _, [$0];", "r"
  sm.barrier_arrive %bar
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"{ .reg .pred p; setp.ne.b32 p, $1, 0; @p mbarrier.arrive.shared::cta.b64 _, [$0]; }", "r,r"
  sm.barrier_arrive %bar if %leader
  // CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
  sm.barrier_arrive_expect_tx %bar, %n
  // CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32, i32
  sm.barrier_try_wait %bar, %n
  return
}

// RUN: tile-opt %s --sm-to-llvm --print-ptx -o /dev/null | FileCheck %s

// CHECK: .version 8.8
// CHECK: .target sm_90a
// CHECK-LABEL: .entry barriers(
// CHECK: .reqntid 128
// CHECK: .minnctapersm 1
func.func @barriers(%id: i32, %n: i32) attributes {tile.num_warps = 4 : i64} {
  // CHECK: bar.sync 0;
  sm.barrier
  // CHECK: bar.sync %r{{.*}}, %r{{.*}};
  sm.named_barrier %id, %n
  // CHECK: bar.arrive %r{{.*}}, %r{{.*}};
  sm.named_barrier %id, %n {arrive}
  // CHECK: bar.sync 3, 256;
  %three = arith.constant 3 : i32
  %all = arith.constant 256 : i32
  sm.named_barrier %three, %all
  // CHECK: bar.warp.sync -1;
  sm.warp_barrier
  // CHECK: fence.proxy.async.shared::cta;
  sm.fence_proxy
  return
}

// CHECK-LABEL: .entry mbarriers(
func.func @mbarriers(%bar: i32, %n: i32, %leader: i1) attributes {tile.num_warps = 4 : i64} {
  // CHECK: mbarrier.init.shared.b64 [%rd{{.*}}], %r{{.*}};
  sm.barrier_init %bar, %n
  // CHECK: fence.mbarrier_init.release.cluster;
  sm.fence_barrier_init
  // CHECK: mbarrier.arrive.shared::cta.b64 _, [%r{{.*}}];
  sm.barrier_arrive %bar
  // CHECK: @p mbarrier.arrive.shared::cta.b64 _, [%r{{.*}}]; }
  sm.barrier_arrive %bar if %leader
  // CHECK: mbarrier.arrive.expect_tx.{{.*}}shared{{.*}}.b64
  sm.barrier_arrive_expect_tx %bar, %n
  // CHECK: mbarrier.try_wait.parity.shared.b64
  sm.barrier_try_wait %bar, %n
  return
}

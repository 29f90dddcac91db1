// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @cta_and_named
func.func @cta_and_named(%id: i32, %threads: i32) {
  // CHECK: sm.barrier
  sm.barrier
  // CHECK: sm.named_barrier %{{.*}}, %{{.*}}
  sm.named_barrier %id, %threads
  // CHECK: sm.named_barrier %{{.*}}, %{{.*}} {arrive}
  sm.named_barrier %id, %threads {arrive}
  // CHECK: sm.warp_barrier
  sm.warp_barrier
  // CHECK: sm.fence_proxy
  sm.fence_proxy
  return
}

// CHECK-LABEL: func.func @mbarrier
func.func @mbarrier(%bar: i32, %n: i32, %leader: i1) {
  // CHECK: sm.barrier_init %{{.*}}, %{{.*}}
  sm.barrier_init %bar, %n
  // CHECK: sm.fence_barrier_init
  sm.fence_barrier_init
  // CHECK: sm.barrier_arrive %[[BAR:[a-z0-9]+]]{{$}}
  sm.barrier_arrive %bar
  // CHECK: sm.barrier_arrive %[[BAR]] if %{{.*}}
  sm.barrier_arrive %bar if %leader
  // CHECK: sm.barrier_arrive_expect_tx %[[BAR]], %{{.*}}
  sm.barrier_arrive_expect_tx %bar, %n
  // CHECK: sm.barrier_try_wait %[[BAR]], %{{.*}}
  sm.barrier_try_wait %bar, %n
  return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @cta_and_named
// CHECK-SAME: (%[[ID:[a-z0-9]+]]: i32, %[[THREADS:[a-z0-9]+]]: i32)
func.func @cta_and_named(%id: i32, %threads: i32) {
  // CHECK: sm.barrier
  sm.barrier
  // CHECK: sm.named_barrier %[[ID]], %[[THREADS]]
  sm.named_barrier %id, %threads
  // CHECK: sm.named_barrier %[[ID]], %[[THREADS]] {arrive}
  sm.named_barrier %id, %threads {arrive}
  // CHECK: sm.warp_barrier
  sm.warp_barrier
  // CHECK: sm.fence_proxy
  sm.fence_proxy
  return
}

// CHECK-LABEL: func.func @mbarrier
// CHECK-SAME: (%[[BAR:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[LEADER:[a-z0-9]+]]: i1)
func.func @mbarrier(%bar: i32, %n: i32, %leader: i1) {
  // CHECK: sm.barrier_init %[[BAR]], %[[N]]
  sm.barrier_init %bar, %n
  // CHECK: sm.fence_barrier_init
  sm.fence_barrier_init
  // CHECK: sm.barrier_arrive %[[BAR]]{{$}}
  sm.barrier_arrive %bar
  // CHECK: sm.barrier_arrive %[[BAR]] if %[[LEADER]]
  sm.barrier_arrive %bar if %leader
  // CHECK: sm.barrier_arrive_expect_tx %[[BAR]], %[[N]]
  sm.barrier_arrive_expect_tx %bar, %n
  // CHECK: sm.barrier_try_wait %[[BAR]], %[[N]]
  sm.barrier_try_wait %bar, %n
  return
}

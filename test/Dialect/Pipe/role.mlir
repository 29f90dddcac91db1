// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @roles
tile.kernel @roles(%n: i64, %m: i64, %step: i64) attributes {tile.num_warps = 8 : i64, tile.producer_warps = 4 : i64} {
  // CHECK: pipe.work_item from %arg0 to %arg1 step %arg2
  %item = pipe.work_item from %n to %m step %step
  // CHECK: pipe.specialize producer {
  pipe.specialize producer {
    scf.for %i = %n to %m step %step : i64 {
      // CHECK: %[[NEXT:.*]] = pipe.draw_item
      %next = pipe.draw_item
      // CHECK: pipe.go_to_item %[[NEXT]]
      pipe.go_to_item %next
    } {tile.tile_loop}
    // CHECK: } consumer {
  } consumer {
    // CHECK: pipe.role_barrier
    pipe.role_barrier
    // CHECK: pipe.turn_wait
    pipe.turn_wait
    // CHECK: pipe.turn_pass
    pipe.turn_pass
    scf.for %i = %n to %m step %step : i64 {
      // CHECK: pipe.go_to_item %arg0
      pipe.go_to_item %n
    } {tile.tile_loop}
  }
  tile.return
}

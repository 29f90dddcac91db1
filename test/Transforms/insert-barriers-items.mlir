// RUN: tile-opt %s -tile-insert-barriers-and-fences | FileCheck %s

// Two work items may be of two CTAs, so their accesses to global memory are in no order, and nobody waits for
// it. Shared memory is this CTA's own. Functions are named by their hazard.
#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>
!line = tensor<128xf32, #line>
!row = !tile.shared<128xf32>

// The windows of two items overlap: in a plain loop there would be a barrier.
// CHECK-LABEL: tile.kernel @waw_global_items
// CHECK-NOT: sm.barrier
// CHECK: tile.return
tile.kernel @waw_global_items(%g: !tile.global<?xf32>, %n: i64, %v: f32) {
  %first = tile.program_id
  %step = tile.num_programs
  %c64 = arith.constant 64 : i64
  %x = tile.broadcast %v dims = [] : f32 to !line
  scf.for %item = %first to %n step %step : i64 {
    %row = arith.muli %item, %c64 : i64
    %w = tile.window %g[%row] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
    tile.store %x, %w : !line to !tile.window<128xf32>
  } {tile.tile_loop}
  tile.return
}

// CHECK-LABEL: tile.kernel @war_shared_items
// CHECK: scf.for
// CHECK: sm.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @war_shared_items(%n: i64, %v: f32) {
  %first = tile.program_id
  %step = tile.num_programs
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  scf.for %item = %first to %n step %step : i64 {
    tile.store %x, %s : !line to !row
    %y = tile.load %s : !row to !line
  } {tile.tile_loop}
  tile.return
}

// Within an item the order is that of the program; the read of one item and the write of the next have none.
// CHECK-LABEL: tile.kernel @raw_global_within_an_item
// CHECK: scf.for
// CHECK-NEXT: tile.store_scalar
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load_scalar
// CHECK-NEXT: } {tile.tile_loop}
tile.kernel @raw_global_within_an_item(%g: !tile.global<?xf32>, %n: i64, %v: f32) {
  %first = tile.program_id
  %step = tile.num_programs
  scf.for %item = %first to %n step %step : i64 {
    tile.store_scalar %v, %g[%n] : f32 to !tile.global<?xf32>
    %y = tile.load_scalar %g[%n] : !tile.global<?xf32> to f32
  } {tile.tile_loop}
  tile.return
}

// What stands in front of the items comes before all of them, and what stands behind them after.
// CHECK-LABEL: tile.kernel @raw_global_around_items
// CHECK: tile.store_scalar
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.load_scalar
// CHECK-NEXT: tile.store_scalar
// CHECK-NEXT: }
// CHECK: sm.barrier
// CHECK-NEXT: tile.load_scalar %arg1
tile.kernel @raw_global_around_items(%g: !tile.global<?xf32>, %h: !tile.global<?xf32>, %n: i64, %v: f32) {
  %first = tile.program_id
  %step = tile.num_programs
  tile.store_scalar %v, %g[%n] : f32 to !tile.global<?xf32>
  scf.for %item = %first to %n step %step : i64 {
    %x = tile.load_scalar %g[%n] : !tile.global<?xf32> to f32
    tile.store_scalar %v, %h[%n] : f32 to !tile.global<?xf32>
  } {tile.tile_loop}
  %y = tile.load_scalar %h[%n] : !tile.global<?xf32> to f32
  tile.return
}

// Memory that is this CTA's own by its number: its next item waits for this one.
// CHECK-LABEL: tile.kernel @war_global_own_of_cta
// CHECK: scf.for
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store_scalar
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load_scalar
tile.kernel @war_global_own_of_cta(%g: !tile.global<?xf32>, %n: i64, %v: f32) {
  %first = tile.program_id
  %step = tile.num_programs
  %one = arith.constant 1 : i64
  %mine = arith.addi %first, %one : i64
  scf.for %item = %first to %n step %step : i64 {
    tile.store_scalar %v, %g[%mine] : f32 to !tile.global<?xf32>
    %y = tile.load_scalar %g[%mine] : !tile.global<?xf32> to f32
  } {tile.tile_loop}
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @indices
func.func @indices() -> (i32, i32, i32, i32, i32) {
  // CHECK: sm.thread_id
  %t = sm.thread_id
  // CHECK: sm.warp_id
  %w = sm.warp_id
  // CHECK: sm.lane_id
  %l = sm.lane_id
  // CHECK: sm.cta_id
  %c = sm.cta_id
  // CHECK: sm.num_ctas
  %n = sm.num_ctas
  return %t, %w, %l, %c, %n : i32, i32, i32, i32, i32
}

// CHECK-LABEL: func.func @items
func.func @items(%first: i64, %count: i64, %step: i64) {
  scf.for %item = %first to %count step %step : i64 {
    // CHECK: %[[NEXT:.*]] = sm.draw_item
    %next = sm.draw_item
    // CHECK: sm.go_to_item %[[NEXT]]
    sm.go_to_item %next
  } {tile.tile_loop}
  return
}

// CHECK-LABEL: func.func @exchange
func.func @exchange(%x: f32, %v: vector<2xf32>, %h: vector<4xbf16>, %p: i1, %n: i32) -> i1 {
  // CHECK: sm.shuffle xor %{{.*}}, %{{.*}} : f32
  %a = sm.shuffle xor %x, %n : f32
  // CHECK: sm.shuffle idx %{{.*}}, %{{.*}} : vector<2xf32>
  %b = sm.shuffle idx %v, %n : vector<2xf32>
  // CHECK: sm.shuffle up %{{.*}}, %{{.*}} : vector<4xbf16>
  %c = sm.shuffle up %h, %n : vector<4xbf16>
  // CHECK: %[[D:.*]] = sm.shuffle down %{{.*}}, %{{.*}} : i1
  %d = sm.shuffle down %p, %n : i1
  // CHECK: %[[E:.*]] = sm.vote any %[[D]]
  %e = sm.vote any %d
  // CHECK: sm.vote all %[[E]]
  %f = sm.vote all %e
  // CHECK: sm.elect
  %g = sm.elect
  %r = arith.andi %f, %g : i1
  return %r : i1
}

// CHECK-LABEL: func.func @register_count
func.func @register_count() {
  // CHECK: sm.set_registers increase 240
  sm.set_registers increase 240
  // CHECK: sm.set_registers decrease 24
  sm.set_registers decrease 24
  return
}

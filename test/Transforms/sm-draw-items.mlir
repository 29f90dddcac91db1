// RUN: tile-opt %s -sm-draw-items | FileCheck %s

// The counter's address stands behind what the launch computes and in front of the tensor maps. Both roles
// follow the numbers; with a counter the producer asks it for one, without one it takes the next turn.
// CHECK-LABEL: func.func @roles
// CHECK-SAME: (%[[N:.*]]: i64, %[[OUT:.*]]: i64, %{{.*}}: i64, %[[COUNTER:.*]]: i64, %{{.*}}: !sm.tensor_map)
// CHECK-SAME: tile.launch = {counter, derived = ["reciprocal(n)"]
// CHECK: scf.if
// CHECK: scf.while (%[[ITEM:.*]] = %c5_i64) : (i64) -> i64 {
// CHECK-NEXT: %[[IS_THERE:.*]] = arith.cmpi slt, %[[ITEM]], %[[N]] : i64
// CHECK-NEXT: scf.condition(%[[IS_THERE]]) %[[ITEM]] : i64
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[ITEM:.*]]: i64):
// CHECK: %[[HAS_COUNTER:.*]] = arith.cmpi ne, %[[COUNTER]], %c0_i64
// CHECK: %[[COUNTABLE:.*]] = arith.cmpi sle, %[[N]], %c2147483647_i64
// CHECK-NEXT: %[[COUNTS:.*]] = arith.andi %[[HAS_COUNTER]], %[[COUNTABLE]]
// CHECK-NEXT: %[[NEXT:.*]] = scf.if %[[COUNTS]] -> (i64) {
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1_i64
// CHECK-NEXT: %[[NARROW:.*]] = arith.trunci %[[LAST]] : i64 to i32
// CHECK-NEXT: %[[NUMBER:.*]] = sm.atomic_global inc relaxed gpu %[[NARROW]], %[[COUNTER]] : i32 -> i32
// CHECK-NEXT: %[[WIDE:.*]] = arith.extui %[[NUMBER]] : i32 to i64
// CHECK-NEXT: %[[DRAWN:.*]] = arith.addi %[[WIDE]], %c7_i64
// CHECK-NEXT: scf.yield %[[DRAWN]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[TURN:.*]] = arith.addi %[[ITEM]], %c7_i64
// CHECK-NEXT: scf.yield %[[TURN]]
// CHECK: sm.store_shared %[[NEXT]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: } else {
// CHECK-NEXT: %[[END:.*]]:2 = scf.while (%{{.*}} = %c5_i64, %{{.*}} = %c0_i32)
// CHECK: ^bb0(%[[ITEM:.*]]: i64, %[[STAGE:.*]]: i32):
// CHECK-NEXT: sm.store_global %[[ITEM]], %[[OUT]]
// CHECK-NEXT: %[[NEXT:.*]] = sm.load_shared
// CHECK-NEXT: %[[BEHIND:.*]] = arith.addi %[[STAGE]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[BEHIND]]
// CHECK: sm.store_global %[[END]]#1
func.func @roles(%n: i64, %out: i64, %reciprocal: i64, %map: !sm.tensor_map) attributes {
    tile.num_warps = 4 : i64, tile.launch = {dims = ["n", "out"], derived = ["reciprocal(n)"], maps = [{param = 0 : i64, box = [64, 64], swizzle = 128 : i64}]}} {
  %first = arith.constant 5 : i64
  %step = arith.constant 7 : i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = sm.shared_base
  %warp = sm.warp_id
  %produces = arith.cmpi uge, %warp, %one : i32
  scf.if %produces {
    scf.for %item = %first to %n step %step : i64 {
      %next = sm.draw_item
      sm.store_shared %next, %at : i64
      sm.go_to_item %next
    } {tile.tile_loop}
  } else {
    %end = scf.for %item = %first to %n step %step iter_args(%stage = %zero) -> (i32) : i64 {
      sm.store_global %item, %out : i64
      %next = sm.load_shared %at : i64
      %behind = arith.addi %stage, %one : i32
      sm.go_to_item %next
      scf.yield %behind : i32
    } {tile.tile_loop}
    sm.store_global %end, %out : i32
  }
  return
}

// Without an `sm.go_to_item` a loop keeps its turns, and the kernel takes no counter.
// CHECK-LABEL: func.func @turns
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: i64) attributes {tile.launch = {dims = ["n", "out"]}
// CHECK: scf.for
// CHECK: } {tile.tile_loop}
func.func @turns(%n: i64, %out: i64) attributes {tile.num_warps = 4 : i64, tile.launch = {dims = ["n", "out"]}} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %item = %c0 to %n step %c1 : i64 {
    sm.store_global %item, %out : i64
  } {tile.tile_loop}
  return
}

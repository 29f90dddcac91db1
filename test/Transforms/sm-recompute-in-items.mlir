// RUN: tile-opt %s -sm-recompute-in-items | FileCheck %s

// What the item's own loop uses stays in registers; the rest is computed anew in each stretch of code.
// CHECK-LABEL: func.func @k
// CHECK: %[[HELD:.*]] = arith.addi %arg0, %arg1
// CHECK: scf.for %[[ITEM:.*]] =
// CHECK-NEXT: %[[A:.*]] = sm.opaque %arg0 : i64
// CHECK-NEXT: %[[BYTES:.*]] = arith.shli %[[A]],
// CHECK-NEXT: %[[FIRST:.*]] = arith.addi %[[BYTES]], %[[ITEM]]
// CHECK-NEXT: sm.load_global %[[FIRST]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: sm.load_global %[[HELD]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[AGAIN:.*]] = sm.opaque %arg0 : i64
// CHECK-NEXT: %[[BYTES_AGAIN:.*]] = arith.shli %[[AGAIN]],
// CHECK-NEXT: %[[ITEM_AGAIN:.*]] = sm.opaque %[[ITEM]] : i64
// CHECK-NEXT: %[[FIRST_AGAIN:.*]] = arith.addi %[[BYTES_AGAIN]], %[[ITEM_AGAIN]]
// CHECK-NEXT: %[[LAST:.*]] = arith.addi %[[FIRST_AGAIN]], %[[HELD]]
// CHECK-NEXT: sm.store_global %{{.*}}, %[[LAST]]
func.func @k(%a: i64, %b: i64, %value: f32) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %held = arith.addi %a, %b : i64
  %bytes = arith.shli %a, %c2 : i64
  scf.for %item = %c0 to %b step %c1 : i64 {
    %first = arith.addi %bytes, %item : i64
    %x = sm.load_global %first : f32
    scf.for %i = %c0 to %c2 step %c1 : i64 {
      %y = sm.load_global %held : f32
    }
    %last = arith.addi %first, %held : i64
    sm.store_global %value, %last : f32
  } {tile.tile_loop}
  return
}

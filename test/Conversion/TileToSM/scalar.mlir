// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

// Integers are made uniform over the warp: loops and branches may depend on them.
// CHECK-LABEL: func.func @load_index(
// CHECK-SAME: %[[X:.*]]: i64, %[[N:.*]]: i64, %[[I:.*]]: i64)
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[I]], %[[N]] : i64
// CHECK: %[[BYTES:.*]] = arith.shli %[[I]], %c2_i64
// CHECK: %[[ADDRESS:.*]] = arith.addi %[[X]], %[[BYTES]]
// CHECK: %[[V:.*]] = scf.if %[[INSIDE]] -> (i32) {
// CHECK:   sm.load_global %[[ADDRESS]] : i32
// CHECK: } else {
// CHECK:   scf.yield %c-1_i32
// CHECK: sm.shuffle idx %[[V]], %c0_i32 : i32
tile.kernel @load_index(%x: !tile.global<?xi32>, %i: i64) attributes {tile.num_warps = 4 : i64} {
  %v = tile.load_scalar %x[%i] pad -1 : i32 : !tile.global<?xi32> to i32
  tile.store_scalar %v, %x[%i] : i32 to !tile.global<?xi32>
  tile.return
}

// One thread writes.
// CHECK-LABEL: func.func @store_flag(
// CHECK: %[[THREAD:.*]] = sm.thread_id
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK:   sm.store_global %{{.*}}, %{{.*}} : i8
tile.kernel @store_flag(%x: !tile.global<8xi1>, %flag: i1) attributes {tile.num_warps = 4 : i64} {
  %i = arith.constant 3 : i64
  tile.store_scalar %flag, %x[%i] : i1 to !tile.global<8xi1>
  tile.return
}

// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#col = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [[0, 2]], warps = [[-1, 4]]>

// Equal copies in four warps: the first prints. 40 elements in 64 places: the last 24 are none.
// CHECK-LABEL: func.func @print_tile(
// CHECK-SAME: tile.prints
// CHECK: scf.if
// CHECK:   sm.print "100%% x[%d] = %.9g (CTA %lld)\0A"(%{{.*}}, %{{.*}}, %{{.*}}) : i32, f32, i64
// CHECK:   %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %c8_i32
// CHECK:   scf.if %[[INSIDE]] {
// CHECK:     %[[SECOND:.*]] = arith.addi %{{.*}}, %c32_i32 : i32
// CHECK:     sm.print {{.*}}(%[[SECOND]], %{{.*}}, %{{.*}}) : i32, f32, i64
tile.kernel @print_tile(%x: f32) attributes {tile.num_warps = 4 : i64} {
  %t = tile.broadcast %x dims = [] : f32 to tensor<40xf32, #col>
  tile.print %t "100% x" : tensor<40xf32, #col>
  tile.return
}

// One thread prints a scalar.
// CHECK-LABEL: func.func @print_scalar(
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK:   sm.print "ok = %d (CTA %lld)\0A"(%{{.*}}, %{{.*}}) : i32, i64
tile.kernel @print_scalar(%ok: i1) attributes {tile.num_warps = 4 : i64} {
  tile.print %ok "ok" : i1
  tile.return
}

// A line per warp, then the end. What is no element of the tile counts as good.
// CHECK-LABEL: func.func @check_tile(
// CHECK: %[[OUTSIDE:.*]] = arith.cmpi sge, %{{.*}}, %c8_i32
// CHECK: arith.ori %{{.*}}, %[[OUTSIDE]]
// CHECK: %[[ALL:.*]] = sm.vote all
// CHECK: %[[BAD:.*]] = arith.xori %[[ALL]], %true
// CHECK: scf.if %[[BAD]] {
// CHECK:   scf.if
// CHECK:     sm.print "debug.mlir:[[# @LINE + 5]]: check failed: 50%% (CTA %lld)\0A"
// CHECK:   }
// CHECK:   sm.trap "debug.mlir:[[# @LINE + 3]]: check failed: 50%"
tile.kernel @check_tile(%ok: i1) attributes {tile.num_warps = 4 : i64} {
  %t = tile.broadcast %ok dims = [] : i1 to tensor<40xi1, #col>
  tile.check %t "50%" : tensor<40xi1, #col>
  tile.return
}

// CHECK-LABEL: func.func @num_programs(
// CHECK: %[[N:.*]] = sm.num_ctas
// CHECK: arith.extui %[[N]] : i32 to i64
tile.kernel @num_programs(%out: !tile.global<1xi64>) attributes {tile.num_warps = 4 : i64} {
  %n = tile.num_programs
  %c0 = arith.constant 0 : i64
  tile.store_scalar %n, %out[%c0] : i64 to !tile.global<1xi64>
  tile.return
}

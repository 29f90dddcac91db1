// RUN: tile-opt %s -allow-unregistered-dialect -sm-unroll-ahead -canonicalize -split-input-file | FileCheck %s

// The tile that a trip hands on is the one that its second half reads; an odd trip stands behind the loop.
// CHECK-LABEL: func.func @hands_on(
// CHECK-SAME: %[[N:[^ :]*]]: i64, %[[FIRST:[^ :]*]]: vector<32xf32>
// CHECK: %[[EVEN:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: %[[LOOP:.*]] = scf.for %{{.*}} = %c2{{.*}} to %[[EVEN]] step %c2{{.*}} iter_args(%[[S:.*]] = %[[FIRST]])
// CHECK:   %[[OTHER:.*]] = sm.wgmma_wait
// CHECK:   "test.softmax"(%[[S]])
// CHECK:   %[[NEXT:.*]] = sm.wgmma_wait
// CHECK:   "test.softmax"(%[[OTHER]])
// CHECK:   scf.yield %[[NEXT]]
// CHECK-NEXT: } {sm.iterations = 2 : i64}
// CHECK: %[[ODD:.*]] = arith.cmpi slt, %[[EVEN]], %[[N]] : i64
// CHECK: %[[END:.*]] = scf.if %[[ODD]]
// CHECK:   %[[LAST:.*]] = sm.wgmma_wait
// CHECK:   "test.softmax"(%[[LOOP]])
// CHECK:   scf.yield %[[LAST]]
// CHECK: else
// CHECK:   scf.yield %[[LOOP]]
// CHECK: return %[[END]]
func.func @hands_on(%n: i64, %first: vector<32xf32>, %flying: vector<32xf32>) -> vector<32xf32> {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %end = scf.for %i = %c2 to %n step %c1 iter_args(%s = %first) -> (vector<32xf32>) : i64 {
    sm.wgmma_commit
    %next = sm.wgmma_wait %flying {pending = 0 : i64} : vector<32xf32>
    "test.softmax"(%s) : (vector<32xf32>) -> ()
    scf.yield %next : vector<32xf32>
  } {pipe.ahead = 0 : i64}
  return %end : vector<32xf32>
}

// -----

// The producer's loop, which has no products, and a loop without the mark stay.
// CHECK-LABEL: func.func @others(
// CHECK: scf.for {{.*}} step %c1
// CHECK-COUNT-1: "test.load"
// CHECK: {pipe.ahead = 0 : i64}
// CHECK: scf.for {{.*}} step %c1
// CHECK-COUNT-1: sm.wgmma_commit
// CHECK-NOT: sm.wgmma_commit
func.func @others(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    "test.load"(%i) : (i64) -> ()
  } {pipe.ahead = 0 : i64}
  scf.for %i = %c0 to %n step %c1 : i64 {
    sm.wgmma_commit
    "test.use"(%i) : (i64) -> ()
  }
  return
}

// RUN: tile-opt %s -sm-skip-scaling -split-input-file | FileCheck %s

// One vote for the factors of both rows of a thread; the sum is kept where all are 1.
// CHECK-LABEL: func.func @scales(
// CHECK: %[[SUM:.*]] = sm.wgmma_wait
// CHECK: %[[EACH:.*]] = vector.shuffle %[[DECAY:.*]], %[[DECAY]]
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[A:.*]] = vector.extract %[[EACH]][0]
// CHECK: %[[CHANGES_A:.*]] = arith.cmpf une, %[[A]], %[[ONE]]
// CHECK: %[[B:.*]] = vector.extract %[[EACH]][2]
// CHECK: %[[CHANGES_B:.*]] = arith.cmpf une, %[[B]], %[[ONE]]
// CHECK: %[[CHANGES:.*]] = arith.ori %[[CHANGES_A]], %[[CHANGES_B]]
// CHECK: %[[ANY:.*]] = sm.vote any %[[CHANGES]]
// CHECK: %[[SCALED:.*]] = scf.if %[[ANY]]
// CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[EACH]]
// CHECK:   scf.yield %[[PRODUCT]]
// CHECK: else
// CHECK:   scf.yield %[[SUM]]
// CHECK: scf.yield %[[SCALED]]
func.func @scales(%n: i32, %flying: vector<32xf32>, %decay: vector<2xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %flying) -> (vector<32xf32>) : i32 {
    %sum = sm.wgmma_wait %acc {pending = 0 : i64} : vector<32xf32>
    %each = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %sum, %each : vector<32xf32>
    scf.yield %scaled : vector<32xf32>
  }
  return
}

// -----

// Both the sum and the factors come from the iteration before.
// CHECK-LABEL: func.func @later(
// CHECK: scf.for
// CHECK-SAME: iter_args(%[[SUM:[^ ]*]] = %{{[^ ]*}}, %[[EACH:[^ ]*]] = %{{.*}})
// CHECK: %[[ANY:.*]] = sm.vote any
// CHECK: scf.if %[[ANY]]
// CHECK:   arith.mulf %[[SUM]], %[[EACH]]
func.func @later(%n: i32, %flying: vector<32xf32>, %decay: vector<2xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %flying, %each = %first) -> (vector<32xf32>, vector<32xf32>) : i32 {
    %scaled = arith.mulf %acc, %each : vector<32xf32>
    %sum = sm.wgmma_wait %scaled {pending = 0 : i64} : vector<32xf32>
    %next = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    scf.yield %sum, %next : vector<32xf32>, vector<32xf32>
  }
  return
}

// -----

// Few elements, factors that are all different, and what is no sum of products stay.
// CHECK-LABEL: func.func @stays(
// CHECK-NOT: sm.vote
func.func @stays(%n: i32, %few: vector<16xf32>, %many: vector<32xf32>, %decay: vector<2xf32>, %all: vector<32xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %few, %b = %many, %c = %many) -> (vector<16xf32>, vector<32xf32>, vector<32xf32>) : i32 {
    %sum_a, %sum_b = sm.wgmma_wait %a, %b {pending = 0 : i64} : vector<16xf32>, vector<32xf32>
    %each_a = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %each_c = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled_a = arith.mulf %sum_a, %each_a : vector<16xf32>
    %scaled_b = arith.mulf %sum_b, %all : vector<32xf32>
    %scaled_c = arith.mulf %c, %each_c : vector<32xf32>
    scf.yield %scaled_a, %scaled_b, %scaled_c : vector<16xf32>, vector<32xf32>, vector<32xf32>
  }
  return
}

// -----

// Without roles nothing is skipped.
// CHECK-LABEL: func.func @simple(
// CHECK-NOT: sm.vote
func.func @simple(%n: i32, %flying: vector<32xf32>, %decay: vector<2xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %flying) -> (vector<32xf32>) : i32 {
    %sum = sm.wgmma_wait %acc {pending = 0 : i64} : vector<32xf32>
    %each = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %sum, %each : vector<32xf32>
    scf.yield %scaled : vector<32xf32>
  }
  return
}

// -----

// The second half of the exponentials behind a wait needs its sum; those in front of it, and short tiles, do not.
// CHECK-LABEL: func.func @holds(
// CHECK-SAME: vector<16xf32>, %[[MAX:[^ ]*]]: vector<2xf32>, %{{[^ ]*}}: vector<8xf32>)
// CHECK: %[[SUM:.*]] = sm.wgmma_wait
// CHECK: %[[LATE:.*]] = sm.behind %[[MAX]] of %[[SUM]] : vector<2xf32>, vector<32xf32>
// CHECK: %[[BOTH:.*]] = vector.shuffle %[[MAX]], %[[LATE]] [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]
// CHECK: %[[LESS:.*]] = arith.subf %{{.*}}, %[[BOTH]] : vector<16xf32>
// CHECK: sm.exp2 %[[LESS]]
// CHECK-NOT: sm.behind
func.func @holds(%n: i32, %flying: vector<32xf32>, %decay: vector<2xf32>, %scores: vector<16xf32>, %max: vector<2xf32>, %few: vector<8xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %flying) -> (vector<32xf32>) : i32 {
    %early = vector.shuffle %max, %max [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %before = arith.subf %scores, %early : vector<16xf32>
    %p = sm.exp2 %before : vector<16xf32>
    %sum = sm.wgmma_wait %acc {pending = 0 : i64} : vector<32xf32>
    %late = vector.shuffle %max, %max [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %behind = arith.subf %p, %late : vector<16xf32>
    %q = sm.exp2 %behind : vector<16xf32>
    %short = vector.shuffle %max, %max [0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %few, %short : vector<8xf32>
    %r = sm.exp2 %less : vector<8xf32>
    %each = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %sum, %each : vector<32xf32>
    sm.order %q : vector<16xf32>
    sm.order %r : vector<8xf32>
    scf.yield %scaled : vector<32xf32>
  }
  return
}

// -----

// Nothing is held for a sum that the iteration before waited for.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT: sm.behind
// CHECK: sm.vote any
// CHECK-NOT: sm.behind
func.func @carried(%n: i32, %flying: vector<32xf32>, %decay: vector<2xf32>, %scores: vector<16xf32>, %max: vector<2xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %flying) -> (vector<32xf32>) : i32 {
    %each = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %acc, %each : vector<32xf32>
    %sum = sm.wgmma_wait %scaled {pending = 0 : i64} : vector<32xf32>
    %late = vector.shuffle %max, %max [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %scores, %late : vector<16xf32>
    %p = sm.exp2 %less : vector<16xf32>
    sm.order %p : vector<16xf32>
    scf.yield %sum : vector<32xf32>
  }
  return
}

// -----

// Two sums behind one wait hold the exponentials once.
// CHECK-LABEL: func.func @two_sums(
// CHECK: %[[SUMS:.*]]:2 = sm.wgmma_wait
// CHECK: sm.behind %{{.*}} of %[[SUMS]]#0
// CHECK-NOT: sm.behind
// CHECK-COUNT-2: sm.vote any
// CHECK-NOT: sm.behind
// CHECK: return
func.func @two_sums(%n: i32, %flying: vector<32xf32>, %decay: vector<2xf32>, %scores: vector<16xf32>, %max: vector<2xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %flying, %b = %flying) -> (vector<32xf32>, vector<32xf32>) : i32 {
    %sum_a, %sum_b = sm.wgmma_wait %a, %b {pending = 0 : i64} : vector<32xf32>, vector<32xf32>
    %late = vector.shuffle %max, %max [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %scores, %late : vector<16xf32>
    %p = sm.exp2 %less : vector<16xf32>
    %each = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled_a = arith.mulf %sum_a, %each : vector<32xf32>
    %scaled_b = arith.mulf %sum_b, %each : vector<32xf32>
    sm.order %p : vector<16xf32>
    scf.yield %scaled_a, %scaled_b : vector<32xf32>, vector<32xf32>
  }
  return
}

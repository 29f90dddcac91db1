// RUN: tile-opt %s -pass-pipeline='builtin.module(func.func(sm-split-edges))' | FileCheck %s

// The rest of the iteration, from the wait on, stands once on each side of the mask's test, which the iteration
// before computed.
// CHECK-LABEL: func.func @mask
// CHECK-SAME: %{{[^,]*}}, %[[FILL:[^:]*]]: vector<2xf32>
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[ZERO:.*]], %[[ONE:.*]] : i64
// CHECK: scf.for %[[I:.*]] = %[[ZERO]] to %{{.*}} step %[[ONE]] iter_args(%{{.*}} = %{{.*}}, %[[INSIDE:.*]] = %[[FIRST]])
// CHECK: %[[REST:.*]]:2 = scf.if %[[INSIDE]] -> (vector<2xf32>, i1) {
// CHECK-NEXT:   %[[S:.*]] = sm.wgmma_wait %{{.*}} {pending = 1 : i64}
// CHECK-NEXT:   %[[P:.*]] = sm.exp2 %[[S]]
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[I]], %[[ONE]] : i64
// CHECK-NEXT:   %[[INSIDE2:.*]] = arith.cmpi slt, %[[NEXT]], %[[ONE]] : i64
// CHECK-NEXT:   sm.apart
// CHECK-NEXT:   scf.yield %[[P]], %[[INSIDE2]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[S2:.*]] = sm.wgmma_wait %{{.*}} {pending = 1 : i64}
// CHECK-NEXT:   %[[M:.*]] = arith.addf %[[S2]], %[[FILL]]
// CHECK-NEXT:   %[[P2:.*]] = sm.exp2 %[[M]]
// CHECK-NEXT:   %[[NEXT2:.*]] = arith.addi %[[I]], %[[ONE]] : i64
// CHECK-NEXT:   %[[INSIDE3:.*]] = arith.cmpi slt, %[[NEXT2]], %[[ONE]] : i64
// CHECK-NEXT:   sm.apart
// CHECK-NEXT:   scf.yield %[[P2]], %[[INSIDE3]]
// CHECK:      scf.yield %[[REST]]#0, %[[REST]]#1
func.func @mask(%flying: vector<2xf32>, %fill: vector<2xf32>, %n: i64, %zero: i64, %one: i64) -> vector<2xf32> {
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %fill) -> (vector<2xf32>) : i64 {
    %inside = arith.cmpi slt, %i, %one : i64
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %m = scf.if %inside -> (vector<2xf32>) {
      scf.yield %s : vector<2xf32>
    } else {
      %x = arith.addf %s, %fill : vector<2xf32>
      scf.yield %x : vector<2xf32>
    }
    %p = sm.exp2 %m : vector<2xf32>
    scf.yield %p : vector<2xf32>
  }
  return %r : vector<2xf32>
}

// The products are issued on each side too, behind the last wait for a barrier. Nothing stands between the two.
// CHECK-LABEL: func.func @issue
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[INSIDE:.*]] = %{{.*}})
// CHECK-NEXT: sm.barrier_try_wait
// CHECK-NEXT: scf.if %[[INSIDE]]
// CHECK-NEXT:   sm.wgmma_fence
// CHECK-NEXT:   %[[FLYING:.*]] = sm.wgmma
// CHECK-NEXT:   sm.wgmma_commit
// CHECK-NEXT:   sm.wgmma_wait %[[FLYING]] {pending = 1 : i64}
// CHECK:      } else {
// CHECK-NEXT:   sm.wgmma_fence
func.func @issue(%acc: vector<4xf32>, %d: i64, %n: i64, %zero: i64, %one: i64, %barrier: i32, %parity: i32) -> vector<4xf32> {
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %acc) -> (vector<4xf32>) : i64 {
    sm.barrier_try_wait %barrier, %parity
    sm.wgmma_fence
    %flying = sm.wgmma %a, %d, %d {type = bf16} : vector<4xf32>, i64
    sm.wgmma_commit
    %inside = arith.cmpi slt, %i, %one : i64
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<4xf32>
    %m = scf.if %inside -> (vector<4xf32>) {
      scf.yield %s : vector<4xf32>
    } else {
      %x = arith.addf %s, %acc : vector<4xf32>
      scf.yield %x : vector<4xf32>
    }
    scf.yield %m : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// A test that is known only behind the wait stays where it is.
// CHECK-LABEL: func.func @late_test
// CHECK: sm.wgmma_wait
// CHECK-NEXT: sm.vote
// CHECK-NEXT: scf.if
func.func @late_test(%flying: vector<2xf32>, %fill: vector<2xf32>, %n: i64, %zero: i64, %one: i64, %p: i1) -> vector<2xf32> {
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %fill) -> (vector<2xf32>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %inside = sm.vote all %p
    %m = scf.if %inside -> (vector<2xf32>) {
      scf.yield %s : vector<2xf32>
    } else {
      %x = arith.addf %s, %fill : vector<2xf32>
      scf.yield %x : vector<2xf32>
    }
    scf.yield %m : vector<2xf32>
  }
  return %r : vector<2xf32>
}

// What the next iteration's test depends on is carried too; a test that cannot run in an iteration more, here for
// its division, is computed in its own.
// CHECK-LABEL: func.func @listed
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[BLOCK:arg[0-9]+]], %{{.*}} : i64
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[INSIDE:.*]] = %{{.*}})
// CHECK-NEXT: scf.if %[[INSIDE]]
// CHECK-NEXT: %[[LOADED:.*]] = sm.load_global
// CHECK: arith.cmpi slt, %[[LOADED]], %{{.*}} : i64
func.func @listed(%flying: vector<2xf32>, %fill: vector<2xf32>, %n: i64, %zero: i64, %one: i64, %block: i64, %list: i64) -> vector<2xf32> {
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %fill, %b = %block) -> (vector<2xf32>, i64) : i64 {
    %next = sm.load_global %list : i64
    %inside = arith.cmpi slt, %b, %n : i64
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %m = scf.if %inside -> (vector<2xf32>) {
      scf.yield %s : vector<2xf32>
    } else {
      %x = arith.addf %s, %fill : vector<2xf32>
      scf.yield %x : vector<2xf32>
    }
    scf.yield %m, %next : vector<2xf32>, i64
  }
  return %r#0 : vector<2xf32>
}

// CHECK-LABEL: func.func @divided
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[Q:.*]] = arith.divui
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi slt, %[[Q]]
// CHECK-NEXT: scf.if %[[INSIDE]]
func.func @divided(%flying: vector<2xf32>, %fill: vector<2xf32>, %n: i64, %zero: i64, %one: i64) -> vector<2xf32> {
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %fill) -> (vector<2xf32>) : i64 {
    %q = arith.divui %n, %i : i64
    %inside = arith.cmpi slt, %q, %one : i64
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %m = scf.if %inside -> (vector<2xf32>) {
      scf.yield %s : vector<2xf32>
    } else {
      %x = arith.addf %s, %fill : vector<2xf32>
      scf.yield %x : vector<2xf32>
    }
    scf.yield %m : vector<2xf32>
  }
  return %r : vector<2xf32>
}

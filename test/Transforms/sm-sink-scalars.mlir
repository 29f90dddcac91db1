// RUN: tile-opt %s -sm-sink-scalars | FileCheck %s

// Nothing is left in front of the roles. A quotient that only the producer needs follows its first
// fetch; both load the count, the consumers first of all. The single thread needs no shuffle.
// CHECK-LABEL: func.func @count(
// CHECK-NOT: arith.divui
// CHECK-NOT: sm.load_global
// CHECK: scf.if
// CHECK:   sm.elect
// CHECK:   scf.if
// CHECK:     sm.tma_prefetch
// CHECK-NOT: sm.shuffle
// CHECK-DAG:     %[[LOADED:.*]] = sm.load_global
// CHECK-DAG:     %[[COUNT:.*]] = arith.maxsi %[[LOADED]]
// CHECK-DAG:     %[[GROUP:.*]] = arith.divui
// CHECK:     scf.for %{{.*}} = %{{.*}} to %[[COUNT]]
// CHECK:       sm.store_global %[[GROUP]]
// CHECK: } else {
// CHECK:   %[[LOADED:.*]] = sm.load_global
// CHECK-NEXT:   sm.barrier
// CHECK:   %[[SAME:.*]] = sm.shuffle idx %[[LOADED]]
// CHECK:   %[[TRIPS:.*]] = arith.maxsi %[[SAME]]
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[TRIPS]]
func.func @count(%list: i64, %n: i64, %out: i64, %n2: i64, %members: i64, %map: !sm.tensor_map)
    attributes {tile.producer_warps = 4 : i64,
                tile.launch = {params = [{name = "list", kind = "tensor", access = "in", extents = ["n"]},
                                       {name = "out", kind = "tensor", access = "out", extents = ["n"]}]}} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %cta = sm.cta_id
  %warp = sm.warp_id
  %number = arith.extui %cta : i32 to i64
  %address = arith.addi %list, %number : i64
  %loaded = sm.load_global %address : i32
  %same = sm.shuffle idx %loaded, %c0 : i32
  %count = arith.maxsi %same, %c0 : i32
  %group = arith.divui %number, %members : i64
  %produces = arith.cmpi uge, %warp, %c8 : i32
  scf.if %produces {
    %one = sm.elect
    scf.if %one {
      sm.tma_prefetch %map : !sm.tensor_map
      scf.for %i = %c0 to %count step %c1 : i32 {
        sm.store_global %group, %out : i64
      }
    }
  } else {
    sm.barrier
    scf.for %i = %c0 to %count step %c1 : i32 {
      sm.store_global %i, %out : i32
    }
  }
  return
}

// What differs between threads is exchanged where it was; what is used in front of the roles stays.
// CHECK-LABEL: func.func @stays(
// CHECK: %[[LANE:.*]] = sm.lane_id
// CHECK: %[[FIRST:.*]] = sm.shuffle idx %[[LANE]]
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: sm.store_global %[[SUM]]
// CHECK: scf.if
func.func @stays(%out: i64, %x: i32) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %warp = sm.warp_id
  %lane = sm.lane_id
  %first = sm.shuffle idx %lane, %c0 : i32
  %sum = arith.addi %x, %c8 : i32
  sm.store_global %sum, %out : i32
  %produces = arith.cmpi uge, %warp, %c8 : i32
  scf.if %produces {
    sm.store_global %first, %out : i32
    sm.store_global %sum, %out : i32
  } else {
    sm.store_global %first, %out : i32
  }
  return
}

// A shuffle stays where all lanes get: in front of a branch inside of the role. A scalar of a tensor
// that is written is read once, in front.
// CHECK-LABEL: func.func @converged(
// CHECK: %[[LOADED:.*]] = sm.load_global
// CHECK: scf.if
// CHECK: } else {
// CHECK:   %[[SAME:.*]] = sm.shuffle idx %[[LOADED]]
// CHECK-NEXT:   scf.if
// CHECK-NEXT:     sm.store_global %[[SAME]]
func.func @converged(%list: i64, %n: i64, %out: i64, %n2: i64)
    attributes {tile.producer_warps = 4 : i64,
                tile.launch = {params = [{name = "list", kind = "tensor", access = "in", extents = ["n"]},
                                       {name = "out", kind = "tensor", access = "out", extents = ["n"]}]}} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %warp = sm.warp_id
  %lane = sm.lane_id
  %loaded = sm.load_global %out : i32
  %same = sm.shuffle idx %loaded, %c0 : i32
  %leads = arith.cmpi eq, %lane, %c0 : i32
  %produces = arith.cmpi uge, %warp, %c8 : i32
  scf.if %produces {
    sm.barrier
  } else {
    sm.barrier
    scf.if %leads {
      sm.store_global %same, %out : i32
    }
  }
  return
}

// One role only: nothing to sink into.
// CHECK-LABEL: func.func @simple(
// CHECK: arith.addi
// CHECK: scf.if
func.func @simple(%out: i64, %x: i32, %c: i1) {
  %sum = arith.addi %x, %x : i32
  scf.if %c {
    sm.store_global %sum, %out : i32
  } else {
    sm.barrier
  }
  return
}

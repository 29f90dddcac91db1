// RUN: tile-opt %s -sm-combine -canonicalize -cse | FileCheck %s

// Two rows of the thread against eight columns: two differences, then constants.
// CHECK-LABEL: func.func @causal(
// CHECK-SAME: %[[ROWS:.*]]: vector<2xi32>, %[[BASE:.*]]: i32, %[[KEY:.*]]: i32
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -2147483648 : i64
// CHECK-DAG: %[[MOST:.*]] = arith.constant 2147483647 : i64
// CHECK: %[[R0:.*]] = vector.extract %[[ROWS]][0]
// CHECK: %[[W0:.*]] = arith.extsi %[[R0]] : i32 to i64
// CHECK: arith.subi %[[W0]]
// CHECK: %[[D0:.*]] = arith.subi
// CHECK: %[[C0:.*]] = arith.maxsi %[[D0]], %[[LEAST]]
// CHECK: %[[C1:.*]] = arith.minsi %[[C0]], %[[MOST]]
// CHECK: arith.trunci %[[C1]] : i64 to i32
// CHECK: %[[PAIR:.*]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK: %[[D:.*]] = vector.shuffle %[[PAIR]], %[[PAIR]] [0, 0, 1, 1, 0, 0, 1, 1]
// CHECK: arith.cmpi sge, %[[D]], %[[COLUMNS]] : vector<8xi32>
func.func @causal(%rows: vector<2xi32>, %base: i32, %key: i32) -> vector<8xi1> {
  %columns = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
  %b = vector.broadcast %base : i32 to vector<4xi32>
  %k = vector.broadcast %key : i32 to vector<4xi32>
  %p = arith.addi %b, %columns overflow<nsw> : vector<4xi32>
  %q = arith.addi %k, %p overflow<nsw> : vector<4xi32>
  %c = vector.shuffle %q, %q [0, 1, 0, 1, 2, 3, 2, 3] : vector<4xi32>, vector<4xi32>
  %r = vector.shuffle %rows, %rows [0, 0, 1, 1, 0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
  %keep = arith.cmpi sge, %r, %c : vector<8xi32>
  return %keep : vector<8xi1>
}

// The position on the left, one bound on the right.
// CHECK-LABEL: func.func @limit(
// CHECK: %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
// CHECK: %[[D:.*]] = vector.broadcast %{{.*}} : i32 to vector<4xi32>
// CHECK: arith.cmpi sgt, %[[D]], %[[COLUMNS]] : vector<4xi32>
func.func @limit(%base: i32, %end: i32) -> vector<4xi1> {
  %columns = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
  %b = vector.broadcast %base : i32 to vector<4xi32>
  %p = arith.addi %b, %columns overflow<nsw> : vector<4xi32>
  %e = vector.broadcast %end : i32 to vector<4xi32>
  %keep = arith.cmpi slt, %p, %e : vector<4xi32>
  return %keep : vector<4xi1>
}

// The tile's end and what the row sees are one bound: `end > c` is `end - 1 >= c`, but not below the least i32.
// The other half of the mask stays.
// CHECK-LABEL: func.func @joined(
// CHECK-SAME: %[[ROWS:.*]]: vector<2xi32>, %[[END:.*]]: i32, %[[OTHER:.*]]: vector<8xi1>
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
// CHECK-DAG: %[[SOME:.*]] = arith.maxsi %[[END]], %{{.*}} : i32
// CHECK: %[[LAST:.*]] = arith.subi %[[SOME]], %{{.*}} : i32
// CHECK: %[[R0:.*]] = vector.extract %[[ROWS]][0]
// CHECK: %[[B0:.*]] = arith.minsi %[[R0]], %[[LAST]] : i32
// CHECK: %[[B1:.*]] = arith.minsi %{{.*}}, %[[LAST]] : i32
// CHECK: %[[PAIR:.*]] = vector.from_elements %[[B0]], %[[B1]] : vector<2xi32>
// CHECK: %[[D:.*]] = vector.shuffle %[[PAIR]], %[[PAIR]] [0, 0, 1, 1, 0, 0, 1, 1]
// CHECK: %[[SEEN:.*]] = arith.cmpi sge, %[[D]], %[[COLUMNS]] : vector<8xi32>
// CHECK: arith.andi %[[SEEN]], %[[OTHER]] : vector<8xi1>
// CHECK-NEXT: return
func.func @joined(%rows: vector<2xi32>, %end: i32, %other: vector<8xi1>) -> vector<8xi1> {
  %short = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
  %columns = arith.constant dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
  %e = vector.broadcast %end : i32 to vector<4xi32>
  %there = arith.cmpi sgt, %e, %short : vector<4xi32>
  %t = vector.shuffle %there, %there [0, 1, 0, 1, 2, 3, 2, 3] : vector<4xi1>, vector<4xi1>
  %both = arith.andi %t, %other : vector<8xi1>
  %r = vector.shuffle %rows, %rows [0, 0, 1, 1, 0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
  %seen = arith.cmpi sge, %r, %columns : vector<8xi32>
  %keep = arith.andi %seen, %both : vector<8xi1>
  return %keep : vector<8xi1>
}

// Bounds of other positions, and lower ones, are not joined.
// CHECK-LABEL: func.func @not_joined(
// CHECK-COUNT-3: arith.cmpi
// CHECK: return
func.func @not_joined(%rows: vector<2xi32>, %end: i32, %start: i32) -> vector<4xi1> {
  %columns = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
  %others = arith.constant dense<[0, 1, 8, 10]> : vector<4xi32>
  %e = vector.broadcast %end : i32 to vector<4xi32>
  %s = vector.broadcast %start : i32 to vector<4xi32>
  %there = arith.cmpi sgt, %e, %columns : vector<4xi32>
  %from = arith.cmpi sle, %s, %columns : vector<4xi32>
  %r = vector.shuffle %rows, %rows [0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
  %seen = arith.cmpi sge, %r, %others : vector<4xi32>
  %a = arith.andi %there, %from : vector<4xi1>
  %keep = arith.andi %a, %seen : vector<4xi1>
  return %keep : vector<4xi1>
}

// At the ends of an i32 they are not joined either: nothing is above the largest one, and a lowered bound would be
// cut to the least one, which is not below itself.
// CHECK-LABEL: func.func @strict_at_the_end(
// CHECK-COUNT-2: arith.cmpi sgt
// CHECK: return
func.func @strict_at_the_end(%rows: vector<2xi32>, %end: i32) -> vector<4xi1> {
  %columns = arith.constant dense<[2147483646, 2147483647, 2147483646, 2147483647]> : vector<4xi32>
  %e = vector.broadcast %end : i32 to vector<4xi32>
  %there = arith.cmpi sgt, %e, %columns : vector<4xi32>
  %r = vector.shuffle %rows, %rows [0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
  %seen = arith.cmpi sgt, %r, %columns : vector<4xi32>
  %keep = arith.andi %there, %seen : vector<4xi1>
  return %keep : vector<4xi1>
}

// CHECK-LABEL: func.func @lowered_to_the_start(
// CHECK-COUNT-2: arith.cmpi sge
// CHECK: return
func.func @lowered_to_the_start(%rows: vector<2xi32>, %end: i32) -> vector<4xi1> {
  %columns = arith.constant dense<[-2147483648, 0, -2147483648, 0]> : vector<4xi32>
  %further = arith.constant dense<[-2147483638, 10, -2147483638, 10]> : vector<4xi32>
  %e = vector.broadcast %end : i32 to vector<4xi32>
  %there = arith.cmpi sge, %e, %further : vector<4xi32>
  %r = vector.shuffle %rows, %rows [0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
  %seen = arith.cmpi sge, %r, %columns : vector<4xi32>
  %keep = arith.andi %there, %seen : vector<4xi1>
  return %keep : vector<4xi1>
}

// A sum that may wrap stays.
// CHECK-LABEL: func.func @may_wrap(
// CHECK: %[[P:.*]] = arith.addi
// CHECK: arith.cmpi slt, %[[P]]
func.func @may_wrap(%base: i32, %end: i32) -> vector<4xi1> {
  %columns = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
  %b = vector.broadcast %base : i32 to vector<4xi32>
  %p = arith.addi %b, %columns : vector<4xi32>
  %e = vector.broadcast %end : i32 to vector<4xi32>
  %keep = arith.cmpi slt, %p, %e : vector<4xi32>
  return %keep : vector<4xi1>
}

// CHECK-LABEL: func.func @overwrite(
// CHECK: %[[R:.*]] = sm.wgmma %{{.*}}, %{{.*}}, %{{.*}} {init, type = bf16}
// CHECK: sm.wgmma %[[R]], %{{.*}}, %{{.*}} {type = bf16}
func.func @overwrite(%a: i64, %b: i64) -> vector<4xf32> {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %r = sm.wgmma %zero, %a, %b {type = bf16} : vector<4xf32>, i64
  %s = sm.wgmma %r, %a, %b {type = bf16} : vector<4xf32>, i64
  %t = sm.wgmma_wait %s {pending = 0 : i64} : vector<4xf32>
  return %t : vector<4xf32>
}

// A CTA's number has 31 bits: the tensor's extent need not bound it. An address from memory may have more.
// CHECK-LABEL: func.func @coordinates(
// CHECK: %[[CTA:.*]] = sm.cta_id
// CHECK: %[[INDEX:.*]] = sm.load_global
// CHECK: %[[LEAST:.*]] = arith.minsi %[[INDEX]]
// CHECK: %[[MOST:.*]] = arith.maxsi %[[LEAST]]
// CHECK: %[[ROW:.*]] = arith.trunci %[[MOST]]
// CHECK: sm.tma_load %{{.*}}, %{{.*}}[%[[ROW]], %[[CTA]]]
func.func @coordinates(%map: !sm.tensor_map, %extent: i64, %list: i64, %target: i32) {
  %before = arith.constant -64 : i64
  %cta = sm.cta_id
  %number = arith.extui %cta : i32 to i64
  %bounded = arith.minsi %number, %extent : i64
  %inside = arith.maxsi %bounded, %before : i64
  %column = arith.trunci %inside : i64 to i32
  %index = sm.load_global %list : i64
  %least = arith.minsi %index, %extent : i64
  %most = arith.maxsi %least, %before : i64
  %row = arith.trunci %most : i64 to i32
  sm.tma_load %target, %map[%row, %column], %target : !sm.tensor_map
  return
}

// RUN: tile-opt %s -sm-compute-at-launch | FileCheck %s

// A quotient and a remainder of a CTA's number need one reciprocal, which comes behind the dimensions and
// in front of the tensor map. The factor is its lower half, the shift its upper half.
// CHECK-LABEL: func.func @divisions(
// CHECK-SAME: %[[HEADS:[^:]*]]: i64, %[[OUT:[^:]*]]: i64, %[[RECIPROCAL:[^:]*]]: i64, %{{[^:]*}}: !sm.tensor_map)
// CHECK-SAME: derived = ["reciprocal(min(heads, 4294967295))"]
// CHECK-DAG: %[[CTA:.*]] = sm.cta_id
// CHECK-DAG: %[[LOW:.*]] = arith.constant 4294967295 : i64
// CHECK: %[[FACTOR:.*]] = arith.andi %[[RECIPROCAL]], %[[LOW]]
// CHECK: %[[UPPER:.*]] = arith.shrui %[[RECIPROCAL]], %{{.*}} : i64
// CHECK: %[[SHIFT:.*]] = arith.trunci %[[UPPER]] : i64 to i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[CTA]] : i32 to i64
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[WIDE]], %[[FACTOR]] : i64
// CHECK: %[[SHIFTED:.*]] = arith.shrui %[[PRODUCT]], %c31{{.*}} : i64
// CHECK: %[[HIGH:.*]] = arith.trunci %[[SHIFTED]] : i64 to i32
// CHECK: %[[QUOTIENT:.*]] = arith.shrui %[[HIGH]], %[[SHIFT]] : i32
// CHECK-NOT: arith.divui
// CHECK-NOT: arith.remui
// CHECK: %[[AGAIN:.*]] = arith.shrui %{{.*}} : i32
// CHECK: %[[WHOLE:.*]] = arith.muli %[[AGAIN]], %{{.*}} : i32
// CHECK: arith.subi %[[CTA]], %[[WHOLE]] : i32
func.func @divisions(%heads: i64, %out: i64, %map: !sm.tensor_map)
    attributes {tile.launch = {dims = ["heads", "out"], maps = [{}]}} {
  %most = arith.constant 4294967295 : i64
  %cta = sm.cta_id
  %bounded = arith.minui %heads, %most : i64
  %divisor = arith.trunci %bounded : i64 to i32
  %quotient = arith.divui %cta, %divisor : i32
  %rest = arith.remui %cta, %divisor : i32
  sm.store_global %quotient, %out : i32
  sm.store_global %rest, %out : i32
  return
}

// What costs two instructions or more is an argument as a whole; a single sum is not.
// CHECK-LABEL: func.func @values(
// CHECK-SAME: %[[LEN:[^:]*]]: i64, %[[OUT:[^:]*]]: i64, %[[BLOCKS:[^:]*]]: i64)
// CHECK-SAME: derived = ["(ceildiv(len, 128) * 8)"]
// CHECK: %[[NEXT:.*]] = arith.addi %[[LEN]], %{{.*}} : i64
// CHECK: sm.store_global %[[BLOCKS]], %[[OUT]]
// CHECK: sm.store_global %[[NEXT]], %[[OUT]]
func.func @values(%len: i64, %out: i64) attributes {tile.launch = {dims = ["len", "out"]}} {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c128 = arith.constant 128 : i64
  %blocks = arith.ceildivsi %len, %c128 : i64
  %programs = arith.muli %blocks, %c8 : i64
  %next = arith.addi %len, %c1 : i64
  sm.store_global %programs, %out : i64
  sm.store_global %next, %out : i64
  return
}

// The launcher must not divide by 0 for a value that the kernel may never need, nor round a negative
// quotient another way; a number of 32 bits is too large a dividend, and what a thread knows is not the
// launch's business.
// CHECK-LABEL: func.func @stays(
// CHECK-NOT: derived
// CHECK: arith.divui %{{.*}} : i64
// CHECK: arith.divsi
// CHECK: arith.divui %{{.*}} : i32
// CHECK: arith.divui %{{.*}} : i32
func.func @stays(%n: i64, %m: i64, %number: i32, %out: i64)
    attributes {tile.launch = {dims = ["n", "m", "number", "out"]}} {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %most = arith.constant 4294967295 : i64
  %quotient = arith.divui %n, %m : i64
  %next = arith.addi %quotient, %c1 : i64
  %difference = arith.subi %n, %m : i64
  %half = arith.divsi %difference, %c8 : i64
  %thread = sm.thread_id
  %cta = sm.cta_id
  %bounded = arith.minui %m, %most : i64
  %divisor = arith.trunci %bounded : i64 to i32
  %large = sm.load_global %out : i32
  %a = arith.divui %large, %divisor : i32
  %b = arith.divui %cta, %thread : i32
  sm.store_global %next, %out : i64
  sm.store_global %half, %out : i64
  sm.store_global %a, %out : i32
  sm.store_global %b, %out : i32
  return
}

// Work items without roles: what is computed in front of their loop stays in registers in it.
// CHECK-LABEL: func.func @items(
// CHECK-NOT: derived
// CHECK: arith.remui
func.func @items(%n: i64, %out: i64) attributes {tile.launch = {dims = ["n", "out"]}} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %most = arith.constant 4294967295 : i64
  %cta = sm.cta_id
  %bounded = arith.minui %n, %most : i64
  %divisor = arith.trunci %bounded : i64 to i32
  scf.for %item = %c0 to %divisor step %c1 : i32 {
    %rest = arith.remui %cta, %divisor : i32
    sm.store_global %rest, %out : i32
  } {tile.tile_loop}
  return
}

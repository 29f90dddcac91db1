// RUN: tile-opt %s -sm-combine -canonicalize -cse | FileCheck %s

// A program's number split into three: `q_blocks` may be anything (cut to 32 bits), `heads` is a
// factor of the grid.
// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[X:.*]]: i64, %[[HEADS:.*]]: i64, %[[LEN:.*]]: i64
// CHECK-DAG: %[[MOST:.*]] = arith.constant 4294967295 : i64
// CHECK: %[[CTA:.*]] = sm.cta_id
// CHECK: %[[CUT:.*]] = arith.minui %[[LEN]], %[[MOST]] : i64
// CHECK: %[[BLOCKS:.*]] = arith.trunci %[[CUT]] : i64 to i32
// CHECK: %[[REST:.*]] = arith.divui %[[CTA]], %[[BLOCKS]] : i32
// CHECK: %[[BLOCK:.*]] = arith.remui %[[CTA]], %[[BLOCKS]] : i32
// CHECK: %[[H:.*]] = arith.trunci %[[HEADS]] : i64 to i32
// CHECK: arith.remui %[[REST]], %[[H]] : i32
// CHECK: arith.divui %[[H]], {{.*}} : i32
func.func @split(%x: i64, %heads: i64, %len: i64) -> (i64, i64, i64)
    attributes {tile.launch = {dims = ["heads", "len"], grid = ["len * 2", "heads"]}} {
  %cta = sm.cta_id
  %wide = arith.extui %cta : i32 to i64
  %rest = arith.divui %wide, %len : i64
  %block = arith.remui %wide, %len : i64
  %head = arith.remui %rest, %heads : i64
  %group = arith.divui %heads, %x : i64
  return %block, %head, %group : i64, i64, i64
}

// The tensor map stands behind the dimensions.
// CHECK-LABEL: func.func @maps(
// CHECK: arith.divui %{{.*}}, %{{.*}} : i32
func.func @maps(%x: i64, %heads: i64, %map: !sm.tensor_map) -> i64
    attributes {tile.launch = {dims = ["heads"], grid = ["heads"], maps = [{param = 0 : i64}]}} {
  %group = arith.divui %heads, %x : i64
  return %group : i64
}

// Dividends of unknown size: a length that is not a factor, a sum, 32 full bits.
// CHECK-LABEL: func.func @unknown(
// CHECK: arith.divui %{{.*}}, %{{.*}} : i64
// CHECK: arith.remui %{{.*}}, %{{.*}} : i64
// CHECK: arith.divui %{{.*}}, %{{.*}} : i64
func.func @unknown(%x: i64, %word: i32, %len: i64) -> (i64, i64, i64)
    attributes {tile.launch = {dims = ["len"], grid = ["ceildiv(len, 128)"]}} {
  %c1 = arith.constant 1 : i64
  %a = arith.divui %len, %x : i64
  %sum = arith.addi %x, %c1 : i64
  %b = arith.remui %sum, %len : i64
  %wide = arith.extui %word : i32 to i64
  %c = arith.divui %wide, %len : i64
  return %a, %b, %c : i64, i64, i64
}

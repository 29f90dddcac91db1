// RUN: tile-opt %s --pass-pipeline='builtin.module(sm-to-llvm,print-device-llvm)' -o /dev/null | FileCheck %s --check-prefixes=CHECK,HOIST
// RUN: tile-opt %s --pass-pipeline='builtin.module(sm-to-llvm,print-device-llvm{hoist=false})' -o /dev/null | FileCheck %s --check-prefixes=CHECK,KEEP

/// Addresses made from values of outside the loop: kept in registers, or made again on each trip.
// CHECK-LABEL: define {{.*}} @rows(
// HOIST: mul i64 %{{.*}}, 7
// HOIST: phi float
// HOIST-NOT: mul i64
// KEEP-NOT: mul i64
// KEEP: phi float
// KEEP: mul i64 %{{.*}}, 7
// KEEP: load float
func.func @rows(%from: i64, %stride: i64, %n: i64, %out: i64) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64
  %none = arith.constant 0.0 : f32
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> f32 : i64 {
    %row = arith.muli %stride, %seven : i64
    %address = arith.addi %from, %row : i64
    %x = sm.load_global %address : f32
    sm.barrier
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  }
  sm.store_global %sum, %out : f32
  return
}

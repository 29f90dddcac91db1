// RUN: tile-opt %s -pass-pipeline='builtin.module(func.func(sm-presume-reference))' | FileCheck %s

// Weights that keep the reference as it is; see sm-presume-reference-stays.mlir.

// The weights are not 2 to the power of a difference.
// CHECK-LABEL: func.func @base_e(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @base_e(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %left = vector.shuffle %t, %t [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %t, %t [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %factor = arith.mulf %less, %flying : vector<2xf32>
    %p = sm.exp2 %factor : vector<2xf32>
    %p0 = vector.extract %p[0] : f32 from vector<2xf32>
    %p1 = vector.extract %p[1] : f32 from vector<2xf32>
    %a = arith.addf %p0, %p1 : f32
    %of_tile = vector.from_elements %a : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// Something else uses the weights.
// CHECK-LABEL: func.func @other_use(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @other_use(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %left = vector.shuffle %t, %t [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %t, %t [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
    %other = arith.negf %p : vector<2xf32>
    %p0 = vector.extract %p[0] : f32 from vector<2xf32>
    %p1 = vector.extract %p[1] : f32 from vector<2xf32>
    %a = arith.addf %p0, %p1 : f32
    %of_tile = vector.from_elements %a : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// The weights are cast twice.
// CHECK-LABEL: func.func @two_casts(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @two_casts(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %left = vector.shuffle %t, %t [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %t, %t [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
    %other = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    %p0 = vector.extract %p[0] : f32 from vector<2xf32>
    %p1 = vector.extract %p[1] : f32 from vector<2xf32>
    %a = arith.addf %p0, %p1 : f32
    %of_tile = vector.from_elements %a : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// Half floats end at 2^16.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @halves(%n: i64, %flying: vector<2xf32>, %bits: vector<2xf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %left = vector.shuffle %t, %t [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %t, %t [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
    %p0 = vector.extract %p[0] : f32 from vector<2xf32>
    %p1 = vector.extract %p[1] : f32 from vector<2xf32>
    %a = arith.addf %p0, %p1 : f32
    %of_tile = vector.from_elements %a : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xf16>
  }
  return
}

// The sum leaves an element out.
// CHECK-LABEL: func.func @left_out(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @left_out(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %left = vector.shuffle %t, %t [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %t, %t [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
    %p0 = vector.extract %p[0] : f32 from vector<2xf32>
    %p1 = vector.extract %p[1] : f32 from vector<2xf32>
    %of_tile = vector.from_elements %p0 : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// The sum takes an element twice.
// CHECK-LABEL: func.func @twice(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @twice(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %left = vector.shuffle %t, %t [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %t, %t [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
    %p0 = vector.extract %p[0] : f32 from vector<2xf32>
    %p1 = vector.extract %p[1] : f32 from vector<2xf32>
    %b = arith.addf %p0, %p1 : f32
    %a = arith.addf %b, %p1 : f32
    %of_tile = vector.from_elements %a : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// RUN: tile-opt %s -pass-pipeline='builtin.module(func.func(sm-presume-reference))' | FileCheck %s

// A short form of what sm-presume-reference.mlir shows, of one row and two weights. Those below differ from it in one
// thing, and lose nothing but the way to compute the scores again.
// CHECK-LABEL: func.func @short(
// CHECK-COUNT-2: sm.vote any
func.func @short(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
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
    %a = arith.addf %p0, %p1 : f32
    %of_tile = vector.from_elements %a : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// Nothing runs beside a maximum.
// CHECK-LABEL: func.func @no_roles(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @no_roles(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) {
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
    %a = arith.addf %p0, %p1 : f32
    %of_tile = vector.from_elements %a : vector<1xf32>
    %next = arith.addf %sums, %of_tile : vector<1xf32>
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// No selection says that another number will do.
// CHECK-LABEL: func.func @no_permission(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @no_permission(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
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
    %follows = arith.select %grown, %maximum, %reference : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
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

// With this lag weights would reach what is computed again.
// CHECK-LABEL: func.func @far_lag(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @far_lag(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
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
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 65.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
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

// A corrected row lies up to 1 below its maximum, which is more than this lag.
// CHECK-LABEL: func.func @short_lag(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @short_lag(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
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
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 0.5 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
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

// Behind a mask a row may have nothing to subtract yet.
// CHECK-LABEL: func.func @masked(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @masked(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>, %inside: vector<2xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %hidden = arith.constant dense<0xFF800000> : vector<2xf32>
    %m = arith.select %inside, %t, %hidden : vector<2xi1>, vector<2xf32>
    %left = vector.shuffle %m, %m [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %m, %m [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %m, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
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

// The maximum is of two products.
// CHECK-LABEL: func.func @two_products(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @two_products(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %u = sm.again %flying { sm.yield %flying : vector<2xf32> } : vector<2xf32>
    %m = arith.addf %t, %u : vector<2xf32>
    %left = vector.shuffle %m, %m [0] : vector<2xf32>, vector<2xf32>
    %right = vector.shuffle %m, %m [1] : vector<2xf32>, vector<2xf32>
    %maximum = arith.maxnumf %left, %right : vector<1xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %follows, %follows [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %m, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
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

// What computes the scores again has an effect.
// CHECK-LABEL: func.func @body_writes(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @body_writes(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:3 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<2xf32>
    %t = sm.again %s {
      sm.store_global %n, %n : i64
      sm.yield %flying : vector<2xf32>
    } : vector<2xf32>
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
    %narrow = arith.truncf %p : vector<2xf32> to vector<2xbf16>
    scf.yield %follows, %next, %narrow : vector<1xf32>, vector<1xf32>, vector<2xbf16>
  }
  return
}

// What is subtracted is a number of the author.
// CHECK-LABEL: func.func @other_number(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @other_number(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>, %skip: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
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
    %shift = arith.select %skip, %zero, %follows : vector<1xi1>, vector<1xf32>
    %each = vector.shuffle %shift, %shift [0, 0] : vector<1xf32>, vector<1xf32>
    %less = arith.subf %t, %each : vector<2xf32>
    %p = sm.exp2 %less : vector<2xf32>
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

// A branch uses the reference.
// CHECK-LABEL: func.func @branch(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @branch(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>, %b: i1) attributes {tile.producer_warps = 4 : i64} {
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
    scf.if %b {
      %v = vector.extract %follows[0] : f32 from vector<1xf32>
      sm.store_global %v, %n : f32
    }
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

// Something with an effect depends on the reference.
// CHECK-LABEL: func.func @effect(
// CHECK-NOT: sm.again
// CHECK-NOT: sm.vote
// CHECK: return
func.func @effect(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
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
    %v = vector.extract %follows[0] : f32 from vector<1xf32>
    sm.store_global %v, %n : f32
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

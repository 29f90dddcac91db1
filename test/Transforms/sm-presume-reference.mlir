// RUN: tile-opt %s -pass-pipeline='builtin.module(func.func(sm-presume-reference))' | FileCheck %s

// Two rows of a thread. The exponentials subtract the carried reference, or 0 where that is -inf: no maximum or exchange
// stands in front of the vote, and what is carried stays as it is.
// CHECK-LABEL: func.func @presumes(
// CHECK-SAME: %[[N:[^:]*]]: i64, %[[FLYING:[^:]*]]: {{[^,]*}}, %[[KEYS:[^:]*]]: i64, %[[STRIDE:[^:]*]]: i64,
// CHECK-DAG: %[[LANES:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[LAG:.*]] = arith.constant dense<8.000000e+00> : vector<2xf32>
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0xFF800000> : vector<2xf32>
// CHECK-DAG: %[[NOTHING:.*]] = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK: scf.for %[[I:[^ ]*]] = {{.*}} iter_args(%[[REF:[^ ]*]] = %[[NONE]], %[[SUMS:[^ ]*]] = %{{[^ ]*}}, %[[O:[^ ]*]] = %{{[^ ]*}}, %{{[^ ]*}} = %{{[^ ]*}})
// CHECK-NEXT: %[[S:.*]] = sm.wgmma_wait %[[FLYING]] {pending = 1 : i64}
// CHECK-NEXT: %[[UNSET:.*]] = arith.cmpf oeq, %[[REF]], %[[NONE]]
// CHECK-NEXT: %[[SHIFT:.*]] = arith.select %[[UNSET]], %[[NOTHING]], %[[REF]]
// CHECK-NEXT: %[[EACH:.*]] = vector.shuffle %[[SHIFT]], %[[SHIFT]] [0, 0, 1, 1, 0, 0, 1, 1]
// CHECK-NEXT: %[[LESS:.*]] = arith.subf %[[S]], %[[EACH]]
// CHECK-NEXT: %[[P:.*]] = sm.exp2 %[[LESS]]
// CHECK-NEXT: %[[P0:.*]] = vector.extract %[[P]][0]
// CHECK-NOT: {{arith.maxnumf|sm.shuffle|arith.select|arith.cmpf|arith.mulf|sm.exp2|sm.again}}
// CHECK: arith.addf %[[P0]], %{{.*}} : f32
// CHECK-NOT: {{arith.maxnumf|sm.shuffle|arith.select|arith.cmpf|arith.mulf|sm.exp2|sm.again}}
// CHECK: %[[OF_TILE:.*]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SUMS]], %[[OF_TILE]]
// CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[P]] : vector<8xf32> to vector<8xbf16>
// CHECK-NEXT: %[[WORDS:.*]] = vector.bitcast %[[NARROW]]

// A sum above 2^8 in one lane, or a row without a reference, is a reason for all of the warp to look.
// CHECK-NEXT: %[[MOST:.*]] = arith.constant dense<2.560000e+02> : vector<2xf32>
// CHECK-NEXT: %[[ABOVE:.*]] = arith.cmpf ogt, %[[OF_TILE]], %[[MOST]]
// CHECK-NEXT: %[[NONE1:.*]] = arith.constant dense<0xFF800000>
// CHECK-NEXT: %[[UNSET1:.*]] = arith.cmpf oeq, %[[REF]], %[[NONE1]]
// CHECK-NEXT: %[[EITHER:.*]] = arith.ori %[[ABOVE]], %[[UNSET1]]
// CHECK-NEXT: %[[A:.*]] = vector.extract %[[EITHER]][0]
// CHECK-NEXT: %[[B:.*]] = vector.extract %[[EITHER]][1]
// CHECK-NEXT: %[[ANY:.*]] = arith.ori %[[A]], %[[B]]
// CHECK-NEXT: %[[LOOK:.*]] = sm.vote any %[[ANY]]
// CHECK-NEXT: %[[END:.*]]:4 = scf.if %[[LOOK]] -> (vector<2xf32>, vector<2xf32>, vector<4xi32>, vector<32xf32>) {

// Of the lanes that share a row the greatest sum counts: above 2^120, or, without a reference, below 2^-60.
// CHECK-NEXT:   %[[OTHER:.*]] = sm.shuffle xor %[[OF_TILE]], %[[LANES]] : vector<2xf32>
// CHECK-NEXT:   %[[GREATEST:.*]] = arith.maxnumf %[[OF_TILE]], %[[OTHER]]
// CHECK-NEXT:   %[[FAR:.*]] = arith.constant dense<1.329228E+36>
// CHECK-NEXT:   %[[IS_FAR:.*]] = arith.cmpf ogt, %[[GREATEST]], %[[FAR]]
// CHECK-NEXT:   %[[LEAST:.*]] = arith.constant dense<8.67361737E-19>
// CHECK-NEXT:   %[[IS_SMALL:.*]] = arith.cmpf olt, %[[GREATEST]], %[[LEAST]]
// CHECK-NEXT:   %[[NONE2:.*]] = arith.constant dense<0xFF800000>
// CHECK-NEXT:   %[[UNSET2:.*]] = arith.cmpf oeq, %[[REF]], %[[NONE2]]
// CHECK-NEXT:   %[[IS_LOST:.*]] = arith.andi %[[IS_SMALL]], %[[UNSET2]]
// CHECK-NEXT:   %[[EITHER2:.*]] = arith.ori %[[IS_FAR]], %[[IS_LOST]]
// CHECK-NEXT:   %[[A2:.*]] = vector.extract %[[EITHER2]][0]
// CHECK-NEXT:   %[[B2:.*]] = vector.extract %[[EITHER2]][1]
// CHECK-NEXT:   %[[ANY2:.*]] = arith.ori %[[A2]], %[[B2]]
// CHECK-NEXT:   %[[AGAIN:.*]] = sm.vote any %[[ANY2]]
// CHECK-NEXT:   %[[RARE:.*]]:4 = scf.if %[[AGAIN]]

// There the scores are computed again, from numbers that LLVM knows nothing of, and all that follows.
// CHECK-DAG:      %[[KEYS2:.*]] = sm.opaque %[[KEYS]]
// CHECK-DAG:      %[[STRIDE2:.*]] = sm.opaque %[[STRIDE]]
// CHECK-DAG:      %[[I2:.*]] = sm.opaque %[[I]]
// CHECK-DAG:      %[[ROW:.*]] = arith.muli %[[KEYS2]], %[[STRIDE2]]
// CHECK:          %[[PLACE:.*]] = arith.addi %[[ROW]], %[[I2]]
// CHECK-NEXT:     %[[T:.*]] = scf.for %[[D:[^ ]*]] = %{{.*}} to %[[STRIDE2]]
// CHECK-NEXT:       %[[PLACE2:.*]] = sm.opaque %[[PLACE]]
// CHECK-NEXT:       %[[ADDRESS:.*]] = arith.addi %[[PLACE2]], %[[D]]
// CHECK-NEXT:       sm.load_global %[[ADDRESS]]
// CHECK:          %[[EVEN:.*]] = vector.shuffle %[[T]], %[[T]] [0, 2]
// CHECK-NEXT:     %[[ODD:.*]] = vector.shuffle %[[T]], %[[T]] [5, 7]
// CHECK-NEXT:     %[[MAX1:.*]] = arith.maxnumf %[[EVEN]], %[[ODD]]
// CHECK-NEXT:     %[[OTHERS:.*]] = sm.shuffle xor %[[MAX1]], %[[LANES]]
// CHECK-NEXT:     %[[MAX:.*]] = arith.maxnumf %[[MAX1]], %[[OTHERS]]
// CHECK-NEXT:     %[[GREATER:.*]] = arith.subf %[[MAX]], %[[REF]]
// CHECK-NEXT:     %[[GROWN:.*]] = arith.cmpf ogt, %[[GREATER]], %[[LAG]]
// CHECK-NEXT:     %[[FOLLOWS:.*]] = arith.select %[[GROWN]], %[[MAX]], %[[REF]]
// CHECK-NEXT:     %[[IS_NONE:.*]] = arith.cmpf oeq, %[[FOLLOWS]], %[[NONE]]
// CHECK-NEXT:     %[[SHIFT2:.*]] = arith.select %[[IS_NONE]], %{{.*}}, %[[FOLLOWS]]
// CHECK-NEXT:     %[[EACH2:.*]] = vector.shuffle %[[SHIFT2]], %[[SHIFT2]]
// CHECK-NEXT:     %[[LESS2:.*]] = arith.subf %[[T]], %[[EACH2]]
// CHECK-NEXT:     %[[P2:.*]] = sm.exp2 %[[LESS2]]
// CHECK-NEXT:     %[[LOST:.*]] = arith.subf %[[REF]], %[[SHIFT2]]
// CHECK-NEXT:     %[[DECAY:.*]] = sm.exp2 %[[LOST]]
// CHECK-NEXT:     %[[E0:.*]] = vector.extract %[[P2]][0]
// CHECK:          arith.addf %[[E0]], %{{.*}} : f32
// CHECK:          %[[OF_TILE2:.*]] = vector.from_elements
// CHECK-NEXT:     %[[KEPT:.*]] = arith.mulf %[[SUMS]], %[[DECAY]]
// CHECK-NEXT:     %[[NEXT2:.*]] = arith.addf %[[KEPT]], %[[OF_TILE2]]
// CHECK-NEXT:     %[[NARROW2:.*]] = arith.truncf %[[P2]]
// CHECK-NEXT:     %[[WORDS2:.*]] = vector.bitcast %[[NARROW2]]
// CHECK-NEXT:     %[[FACTORS:.*]] = vector.shuffle %[[DECAY]], %[[DECAY]]
// CHECK-NEXT:     %[[O2:.*]] = arith.mulf %[[O]], %[[FACTORS]]
// CHECK-NEXT:     scf.yield %[[FOLLOWS]], %[[NEXT2]], %[[WORDS2]], %[[O2]]

// Else a row whose greatest sum is above 2^8, or that has no reference, moves it by a whole number; what there is is
// scaled by a power of two, and no score is wanted.
// CHECK-NEXT:   } else {
// CHECK-NEXT:     %[[BITS:.*]] = arith.bitcast %[[GREATEST]] : vector<2xf32> to vector<2xi32>
// CHECK-NEXT:     %[[MANTISSA:.*]] = arith.constant dense<23>
// CHECK-NEXT:     %[[BIASED:.*]] = arith.shrui %[[BITS]], %[[MANTISSA]]
// CHECK-NEXT:     %[[BIAS:.*]] = arith.constant dense<127>
// CHECK-NEXT:     %[[EXPONENT:.*]] = arith.subi %[[BIASED]], %[[BIAS]]
// CHECK-NEXT:     %[[MOVED:.*]] = arith.sitofp %[[EXPONENT]]
// CHECK-NEXT:     %[[MOST3:.*]] = arith.constant dense<2.560000e+02>
// CHECK-NEXT:     %[[ABOVE3:.*]] = arith.cmpf ogt, %[[GREATEST]], %[[MOST3]]
// CHECK-NEXT:     %[[NONE3:.*]] = arith.constant dense<0xFF800000>
// CHECK-NEXT:     %[[UNSET3:.*]] = arith.cmpf oeq, %[[REF]], %[[NONE3]]
// CHECK-NEXT:     %[[MOVES:.*]] = arith.ori %[[ABOVE3]], %[[UNSET3]]
// CHECK-NEXT:     %[[NOT:.*]] = arith.constant dense<0.000000e+00>
// CHECK-NEXT:     %[[BY:.*]] = arith.select %[[MOVES]], %[[MOVED]], %[[NOT]]
// CHECK-NEXT:     %[[REF3:.*]] = arith.addf %[[SHIFT]], %[[BY]]
// CHECK-NEXT:     %[[LESS3:.*]] = arith.subf %[[SHIFT]], %[[REF3]]
// CHECK-NEXT:     %[[SCALE:.*]] = sm.exp2 %[[LESS3]]
// CHECK-NEXT:     %[[IS_NONE3:.*]] = arith.cmpf oeq, %[[REF3]], %[[NONE]]
// CHECK-NEXT:     %[[SHIFT3:.*]] = arith.select %[[IS_NONE3]], %[[NOTHING]], %[[REF3]]
// CHECK-NEXT:     %[[LOST3:.*]] = arith.subf %[[REF]], %[[SHIFT3]]
// CHECK-NEXT:     %[[DECAY3:.*]] = sm.exp2 %[[LOST3]]
// CHECK-NEXT:     %[[OF_TILE3:.*]] = arith.mulf %[[OF_TILE]], %[[SCALE]]
// CHECK-NEXT:     %[[KEPT3:.*]] = arith.mulf %[[SUMS]], %[[DECAY3]]
// CHECK-NEXT:     %[[NEXT3:.*]] = arith.addf %[[KEPT3]], %[[OF_TILE3]]
// CHECK-NEXT:     %[[SCALES:.*]] = vector.shuffle %[[SCALE]], %[[SCALE]] [0, 0, 1, 1, 0, 0, 1, 1]
// CHECK-NEXT:     %[[SCALES3:.*]] = arith.truncf %[[SCALES]] : vector<8xf32> to vector<8xbf16>
// CHECK-NEXT:     %[[NARROW3:.*]] = arith.mulf %[[NARROW]], %[[SCALES3]]
// CHECK-NEXT:     %[[WORDS3:.*]] = vector.bitcast %[[NARROW3]]
// CHECK-NEXT:     %[[FACTORS3:.*]] = vector.shuffle %[[DECAY3]], %[[DECAY3]]
// CHECK-NEXT:     %[[O3:.*]] = arith.mulf %[[O]], %[[FACTORS3]]
// CHECK-NEXT:     scf.yield %[[REF3]], %[[NEXT3]], %[[WORDS3]], %[[O3]]
// CHECK:        scf.yield %[[RARE]]#0, %[[RARE]]#1, %[[RARE]]#2, %[[RARE]]#3

// The usual end: a new sum, new weights, no product.
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %[[REF]], %[[NEXT]], %[[WORDS]], %[[O]]
// CHECK:      scf.yield %[[END]]#0, %[[END]]#1, %[[END]]#3, %[[END]]#2
func.func @presumes(%n: i64, %flying: vector<8xf32>, %keys: i64, %stride: i64, %bits: vector<4xi32>, %acc: vector<32xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i32
  %lag = arith.constant dense<8.0> : vector<2xf32>
  %none = arith.constant dense<0xFF800000> : vector<2xf32>
  %nothing = arith.constant dense<0.0> : vector<2xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %row = arith.muli %keys, %stride : i64
  %end:4 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %nothing, %o = %acc, %last = %bits) -> (vector<2xf32>, vector<2xf32>, vector<32xf32>, vector<4xi32>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<8xf32>
    %t = sm.again %s {
      %place = arith.addi %row, %i : i64
      %r = scf.for %d = %c0 to %stride step %c1 iter_args(%x = %zeros) -> (vector<8xf32>) : i64 {
        %address = arith.addi %place, %d : i64
        %term = sm.load_global %address : f32
        %terms = vector.broadcast %term : f32 to vector<8xf32>
        %y = arith.addf %x, %terms : vector<8xf32>
        scf.yield %y : vector<8xf32>
      }
      sm.yield %r : vector<8xf32>
    } : vector<8xf32>
    %even = vector.shuffle %t, %t [0, 2] : vector<8xf32>, vector<8xf32>
    %odd = vector.shuffle %t, %t [5, 7] : vector<8xf32>, vector<8xf32>
    %most = arith.maxnumf %even, %odd : vector<2xf32>
    %other = sm.shuffle xor %most, %c2 : vector<2xf32>
    %maximum = arith.maxnumf %most, %other : vector<2xf32>
    %above = arith.subf %maximum, %reference : vector<2xf32>
    %grown = arith.cmpf ogt, %above, %lag : vector<2xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<2xi1>, vector<2xf32>
    %is_none = arith.cmpf oeq, %follows, %none : vector<2xf32>
    %shift = arith.select %is_none, %nothing, %follows : vector<2xi1>, vector<2xf32>
    %each = vector.shuffle %shift, %shift [0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %t, %each : vector<8xf32>
    %p = sm.exp2 %less : vector<8xf32>
    %lost = arith.subf %reference, %shift : vector<2xf32>
    %decay = sm.exp2 %lost : vector<2xf32>
    %p0 = vector.extract %p[0] : f32 from vector<8xf32>
    %p1 = vector.extract %p[1] : f32 from vector<8xf32>
    %p2 = vector.extract %p[2] : f32 from vector<8xf32>
    %p3 = vector.extract %p[3] : f32 from vector<8xf32>
    %p4 = vector.extract %p[4] : f32 from vector<8xf32>
    %p5 = vector.extract %p[5] : f32 from vector<8xf32>
    %p6 = vector.extract %p[6] : f32 from vector<8xf32>
    %p7 = vector.extract %p[7] : f32 from vector<8xf32>
    %a1 = arith.addf %p0, %p1 : f32
    %a4 = arith.addf %p4, %p5 : f32
    %a = arith.addf %a1, %a4 : f32
    %b1 = arith.addf %p2, %p3 : f32
    %b6 = arith.addf %b1, %p6 : f32
    %b = arith.addf %b6, %p7 : f32
    %of_tile = vector.from_elements %a, %b : vector<2xf32>
    %kept = arith.mulf %sums, %decay : vector<2xf32>
    %next = arith.addf %kept, %of_tile : vector<2xf32>
    %narrow = arith.truncf %p : vector<8xf32> to vector<8xbf16>
    %words = vector.bitcast %narrow : vector<8xbf16> to vector<4xi32>
    %factors = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %o, %factors : vector<32xf32>
    scf.yield %follows, %next, %scaled, %words : vector<2xf32>, vector<2xf32>, vector<32xf32>, vector<4xi32>
  }
  return
}

// One half of the exponentials, with their sums, stays in front of the wait for the late product, the other behind it.
// CHECK-LABEL: func.func @holds_half(
// CHECK: scf.for {{.*}} iter_args(%[[REF:[^ ]*]] = %{{[^ ]*}}, %[[SUMS:[^ ]*]] = %{{[^ ]*}}, %[[O:[^ ]*]] = %{{[^ ]*}}, %{{[^ ]*}} = %{{[^ ]*}})
// CHECK: %[[S:.*]] = sm.wgmma_wait %{{.*}} {pending = 1 : i64}
// CHECK-NEXT: %[[UNSET:.*]] = arith.cmpf oeq, %[[REF]],
// CHECK-NEXT: %[[SHIFT:.*]] = arith.select %[[UNSET]], %{{.*}}, %[[REF]]
// CHECK-NEXT: %[[LEFT:.*]] = vector.shuffle %[[S]], %[[S]] [0, 1, 2, 3]
// CHECK-NEXT: %[[EACH:.*]] = vector.shuffle %[[SHIFT]], %[[SHIFT]] [0, 0, 1, 1]
// CHECK-NEXT: %[[LESS:.*]] = arith.subf %[[LEFT]], %[[EACH]]
// CHECK-NEXT: %[[EARLY:.*]] = sm.exp2 %[[LESS]] : vector<4xf32>
// CHECK-NEXT: %[[P0:.*]] = vector.extract %[[EARLY]][0]
// CHECK-NEXT: %[[P1:.*]] = vector.extract %[[EARLY]][1]
// CHECK-NEXT: %[[SUM0:.*]] = arith.addf %[[P0]], %[[P1]]
// CHECK-NEXT: %[[P2:.*]] = vector.extract %[[EARLY]][2]
// CHECK-NEXT: %[[P3:.*]] = vector.extract %[[EARLY]][3]
// CHECK-NEXT: %[[SUM1:.*]] = arith.addf %[[P2]], %[[P3]]
// CHECK-NEXT: %[[EARLY_SUMS:.*]] = vector.from_elements %[[SUM0]], %[[SUM1]]
// CHECK-NEXT: sm.order %[[EARLY_SUMS]]
// CHECK-NEXT: %[[O_LATE:.*]] = sm.wgmma_wait %[[O]] {pending = 0 : i64}
// CHECK-NEXT: %[[BEHIND:.*]] = sm.behind %[[SHIFT]] of %[[O_LATE]]
// CHECK-NEXT: %[[RIGHT:.*]] = vector.shuffle %[[S]], %[[S]] [4, 5, 6, 7]
// CHECK-NEXT: %[[EACH2:.*]] = vector.shuffle %[[BEHIND]], %[[BEHIND]] [0, 0, 1, 1]
// CHECK-NEXT: %[[LESS2:.*]] = arith.subf %[[RIGHT]], %[[EACH2]]
// CHECK-NEXT: %[[LATE:.*]] = sm.exp2 %[[LESS2]] : vector<4xf32>
// CHECK-NEXT: %[[P4:.*]] = vector.extract %[[LATE]][0]
// CHECK-NEXT: %[[P5:.*]] = vector.extract %[[LATE]][1]
// CHECK-NEXT: %[[SUM4:.*]] = arith.addf %[[P4]], %[[P5]]
// CHECK-NEXT: %[[P6:.*]] = vector.extract %[[LATE]][2]
// CHECK-NEXT: %[[P7:.*]] = vector.extract %[[LATE]][3]
// CHECK-NEXT: %[[SUM6:.*]] = arith.addf %[[P6]], %[[P7]]
// CHECK-NEXT: %[[LATE_SUMS:.*]] = vector.from_elements %[[SUM4]], %[[SUM6]]
// CHECK-NEXT: %[[OF_TILE:.*]] = arith.addf %[[EARLY_SUMS]], %[[LATE_SUMS]]
// CHECK-NEXT: %[[E0:.*]] = vector.extract %[[EARLY]][0]
// CHECK-NEXT: %[[E1:.*]] = vector.extract %[[EARLY]][1]
// CHECK-NEXT: %[[E2:.*]] = vector.extract %[[EARLY]][2]
// CHECK-NEXT: %[[E3:.*]] = vector.extract %[[EARLY]][3]
// CHECK-NEXT: %[[E4:.*]] = vector.extract %[[LATE]][0]
// CHECK-NEXT: %[[E5:.*]] = vector.extract %[[LATE]][1]
// CHECK-NEXT: %[[E6:.*]] = vector.extract %[[LATE]][2]
// CHECK-NEXT: %[[E7:.*]] = vector.extract %[[LATE]][3]
// CHECK-NEXT: %[[P:.*]] = vector.from_elements %[[E0]], %[[E1]], %[[E2]], %[[E3]], %[[E4]], %[[E5]], %[[E6]], %[[E7]] : vector<8xf32>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SUMS]], %[[OF_TILE]]
// CHECK-NEXT: arith.truncf %[[P]]
// CHECK: arith.cmpf ogt, %[[OF_TILE]],
// CHECK: sm.vote any
// CHECK-NOT: sm.order
// CHECK: scf.yield %[[REF]], %[[NEXT]], %{{.*}}, %[[O_LATE]]
func.func @holds_half(%n: i64, %flying: vector<8xf32>, %keys: i64, %stride: i64, %bits: vector<4xi32>, %acc: vector<32xf32>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i32
  %lag = arith.constant dense<8.0> : vector<2xf32>
  %none = arith.constant dense<0xFF800000> : vector<2xf32>
  %nothing = arith.constant dense<0.0> : vector<2xf32>
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %row = arith.muli %keys, %stride : i64
  %end:4 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %nothing, %o = %acc, %last = %bits) -> (vector<2xf32>, vector<2xf32>, vector<32xf32>, vector<4xi32>) : i64 {
    %s = sm.wgmma_wait %flying {pending = 1 : i64} : vector<8xf32>
    %t = sm.again %s {
      %place = arith.addi %row, %i : i64
      %r = scf.for %d = %c0 to %stride step %c1 iter_args(%x = %zeros) -> (vector<8xf32>) : i64 {
        %address = arith.addi %place, %d : i64
        %term = sm.load_global %address : f32
        %terms = vector.broadcast %term : f32 to vector<8xf32>
        %y = arith.addf %x, %terms : vector<8xf32>
        scf.yield %y : vector<8xf32>
      }
      sm.yield %r : vector<8xf32>
    } : vector<8xf32>
    %even = vector.shuffle %t, %t [0, 2] : vector<8xf32>, vector<8xf32>
    %odd = vector.shuffle %t, %t [5, 7] : vector<8xf32>, vector<8xf32>
    %most = arith.maxnumf %even, %odd : vector<2xf32>
    %other = sm.shuffle xor %most, %c2 : vector<2xf32>
    %maximum = arith.maxnumf %most, %other : vector<2xf32>
    %above = arith.subf %maximum, %reference : vector<2xf32>
    %grown = arith.cmpf ogt, %above, %lag : vector<2xf32>
    %follows = arith.select %grown, %maximum, %reference {tile.follows = 8.0 : f32} : vector<2xi1>, vector<2xf32>
    sm.order %follows : vector<2xf32>
    %late = sm.wgmma_wait %o {pending = 0 : i64} : vector<32xf32>
    %is_none = arith.cmpf oeq, %follows, %none : vector<2xf32>
    %shift = arith.select %is_none, %nothing, %follows : vector<2xi1>, vector<2xf32>
    %each = vector.shuffle %shift, %shift [0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %less = arith.subf %t, %each : vector<8xf32>
    %p = sm.exp2 %less : vector<8xf32>
    %lost = arith.subf %reference, %shift : vector<2xf32>
    %decay = sm.exp2 %lost : vector<2xf32>
    %p0 = vector.extract %p[0] : f32 from vector<8xf32>
    %p1 = vector.extract %p[1] : f32 from vector<8xf32>
    %p2 = vector.extract %p[2] : f32 from vector<8xf32>
    %p3 = vector.extract %p[3] : f32 from vector<8xf32>
    %p4 = vector.extract %p[4] : f32 from vector<8xf32>
    %p5 = vector.extract %p[5] : f32 from vector<8xf32>
    %p6 = vector.extract %p[6] : f32 from vector<8xf32>
    %p7 = vector.extract %p[7] : f32 from vector<8xf32>
    %a1 = arith.addf %p0, %p1 : f32
    %a4 = arith.addf %p4, %p5 : f32
    %a = arith.addf %a1, %a4 : f32
    %b1 = arith.addf %p2, %p3 : f32
    %b6 = arith.addf %b1, %p6 : f32
    %b = arith.addf %b6, %p7 : f32
    %of_tile = vector.from_elements %a, %b : vector<2xf32>
    %kept = arith.mulf %sums, %decay : vector<2xf32>
    %next = arith.addf %kept, %of_tile : vector<2xf32>
    %narrow = arith.truncf %p : vector<8xf32> to vector<8xbf16>
    %words = vector.bitcast %narrow : vector<8xbf16> to vector<4xi32>
    %factors = vector.shuffle %decay, %decay [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %late, %factors : vector<32xf32>
    scf.yield %follows, %next, %scaled, %words : vector<2xf32>, vector<2xf32>, vector<32xf32>, vector<4xi32>
  }
  return
}

// Where the reference stays, the difference of the two is 0, and a comparison is one of equals.
// CHECK-LABEL: func.func @carries_what_moved(
// CHECK: scf.for {{.*}} iter_args(%[[REFERENCE:[^ ]*]] = {{[^,]*}}, {{[^,]*}}, {{[^,]*}}, %[[DRIFT:[^ ]*]] =
// CHECK: %[[NOTHING:.*]] = arith.constant dense<0.000000e+00>
// CHECK-NEXT: %[[OTHER:.*]] = arith.cmpf one, %[[REFERENCE]], %[[REFERENCE]]
// CHECK-NEXT: %[[MOVED:.*]] = arith.select %[[OTHER]], %[[NOTHING]],
// CHECK-NEXT: %[[KEPT:.*]] = arith.addf %[[DRIFT]], %[[MOVED]]
// CHECK: sm.vote any
// CHECK: sm.vote any
// CHECK: scf.yield %[[REFERENCE]], %{{.*}}, %{{.*}}, %[[KEPT]] :
func.func @carries_what_moved(%n: i64, %flying: vector<2xf32>, %bits: vector<2xbf16>, %grown: vector<1xi1>) attributes {tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %end:4 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sums = %zero, %last = %bits, %drift = %zero) -> (vector<1xf32>, vector<1xf32>, vector<2xbf16>, vector<1xf32>) : i64 {
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
    %moved = arith.subf %follows, %reference : vector<1xf32>
    %far = arith.cmpf one, %follows, %reference : vector<1xf32>
    %counted = arith.select %far, %moved, %zero : vector<1xi1>, vector<1xf32>
    %sum = arith.addf %drift, %counted : vector<1xf32>
    scf.yield %follows, %next, %narrow, %sum : vector<1xf32>, vector<1xf32>, vector<2xbf16>, vector<1xf32>
  }
  return
}

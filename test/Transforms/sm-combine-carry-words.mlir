// RUN: tile-opt %s -sm-combine -canonicalize | FileCheck %s

// 64 elements of 16 bits are 32 registers, not 64. Other carried values stay.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: %[[START:.*]]: vector<64xbf16>, %[[X:.*]]: vector<64xf32>
// CHECK: %[[WORDS:.*]] = vector.bitcast %[[START]] : vector<64xbf16> to vector<32xi32>
// CHECK: %[[END:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %[[WORDS]], %[[M:.*]] = %{{.*}}) -> (vector<32xi32>, f32)
func.func @carried(%start: vector<64xbf16>, %x: vector<64xf32>, %m0: f32, %n: i64) -> (vector<64xbf16>, f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %start, %m = %m0) -> (vector<64xbf16>, f32) : i64 {
    // The fence takes words, so nothing is cast on its way there.
    // CHECK-NEXT: sm.wgmma_fence of %[[P]] : vector<32xi32>
    %words = vector.bitcast %p : vector<64xbf16> to vector<32xi32>
    %tied = sm.wgmma_fence of %words : vector<32xi32>
    // CHECK: %[[NEXT:.*]] = sm.cvt_pack
    // CHECK: %[[M2:.*]] = arith.addf %[[M]], %[[M]]
    // CHECK: %[[PACKED:.*]] = vector.bitcast %[[NEXT]] : vector<64xbf16> to vector<32xi32>
    // CHECK: scf.yield %[[PACKED]], %[[M2]]
    %next = sm.cvt_pack %x : vector<64xf32> to vector<64xbf16>
    %m2 = arith.addf %m, %m : f32
    scf.yield %next, %m2 : vector<64xbf16>, f32
  } {tile.kept}
  // CHECK: } {tile.kept}
  // CHECK: vector.bitcast %[[END]]#0 : vector<32xi32> to vector<64xbf16>
  return %r#0, %r#1 : vector<64xbf16>, f32
}

// An odd number of 16-bit elements is no number of words.
// CHECK-LABEL: func.func @odd
// CHECK: iter_args({{.*}}) -> (vector<3xbf16>)
func.func @odd(%start: vector<3xbf16>, %n: i64) -> vector<3xbf16> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %start) -> vector<3xbf16> : i64 {
    %q = arith.addf %p, %p : vector<3xbf16>
    scf.yield %q : vector<3xbf16>
  }
  return %r : vector<3xbf16>
}

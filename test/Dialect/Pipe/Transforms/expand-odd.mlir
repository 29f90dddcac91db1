// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -convert-tile-to-pipe -pipe-schedule -pipe-expand -canonicalize -cse -pipe-verify-protocol | FileCheck %s

#launch = {dims = ["n", "most", "from"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["64", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// The accumulator before the last one is carried. The operand of P * V is cast behind the wait for the product before:
// the registers are its own until then.
// CHECK-LABEL: tile.kernel @before
// CHECK: consumer {
// CHECK: %[[R:.*]]:4 = scf.for {{.*}} iter_args(%[[O:.*]] = %{{.*}}, %[[CUR:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[P:.*]] =
// CHECK: %[[QK:.*]] = pipe.mma {{.*}} {transpose_b}
// CHECK: %[[PV:.*]] = pipe.mma %[[P]], %{{.*}}, %[[O]]
// CHECK: %[[S:.*]] = pipe.mma_wait %[[QK]] pending 1
// CHECK: %[[E:.*]] = arith.addf %[[S]], %[[O]]
// CHECK-NEXT: %[[DONE:.*]] = pipe.mma_wait %[[PV]] pending 0
// CHECK-NEXT: pipe.release
// CHECK-NEXT: %[[NEXT:.*]] = arith.truncf %[[E]]
// CHECK-NEXT: scf.yield %[[DONE]], %{{.*}}, %[[CUR]], %[[NEXT]]
// CHECK: %[[LAST:.*]] = pipe.mma_wait {{.*}} pending 0
// CHECK: scf.yield %[[LAST]], %[[R]]#0
tile.kernel @before(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                    %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r:2 = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %before = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = arith.addf %s, %before : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next, %acc : tensor<64x64xf32>, tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %sum = arith.addf %r#0, %r#1 : tensor<64x64xf32>
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %sum, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A product that needs work on the result of a late one is not late: it follows that work. Both roles' loops are known
// to have the same trips, also where the loop begins somewhere.
// CHECK-LABEL: tile.kernel @behind
// CHECK: %[[FROM:.*]] = tile.dim "from"
// CHECK: %[[FIRST:.*]] = arith.addi %[[FROM]], %c1
// CHECK: producer {
// CHECK: scf.for %{{.*}} = %[[FIRST]] to
// CHECK: consumer {
// CHECK: %[[SECOND:.*]] = arith.addi %[[FROM]], %c2
// CHECK: scf.for %{{.*}} = %[[SECOND]] to
// CHECK: %[[QK:.*]] = pipe.mma {{.*}} {transpose_b}
// CHECK: %[[PV:.*]] = pipe.mma
// CHECK: pipe.mma_wait %[[QK]] pending 1
// CHECK: %[[T:.*]] = pipe.mma_wait %[[PV]] pending 0
// CHECK-NEXT: %[[OPERAND:.*]] = arith.truncf %[[T]]
// CHECK-NEXT: %[[NEXT:.*]] = tile.gemm %[[OPERAND]]
// CHECK: scf.yield {{.*}}%[[NEXT]],
tile.kernel @behind(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                    %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %from = tile.dim "from"
  %first = arith.addi %from, %c1 : i64
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %first to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
    %t = tile.gemm %p, %vs, %zero : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %tp = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %tp, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

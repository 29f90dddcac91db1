// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -convert-tile-to-pipe -pipe-schedule -pipe-expand -canonicalize | FileCheck %s

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["M", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "VD"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["M", "VD"], aligned}]}

// Prologue, steady state, epilogue under a test for one trip. The exponentials take as long as the
// products, so that the two warpgroups issue in turns.
// CHECK-LABEL: tile.kernel @rotation
// CHECK: pipe.channel
// CHECK: %[[K:.*]] = pipe.channel
// CHECK: %[[V:.*]] = pipe.channel
// CHECK: consumer {
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[TRIPS:.*]], %c0
// CHECK: scf.if %[[SOME]]
// CHECK: %[[S0:.*]] = pipe.mma
// CHECK: pipe.mma_wait %[[S0]] pending 0
// CHECK: pipe.release %[[K]]
// CHECK: %[[P0:.*]] = arith.truncf
// CHECK: %[[R:.*]]:4 = scf.for %{{.*}} = %c1{{.*}} to %[[TRIPS]] step %c1{{.*}} iter_args(%[[CUR:.*]] = %{{.*}}, %[[PREV:.*]] = %{{.*}}, %[[P:.*]] = %[[P0]], %[[O:.*]] = %{{.*}})
// CHECK: pipe.wait %[[K]][%[[CUR]]]
// CHECK-NEXT: pipe.turn_wait
// CHECK-NEXT: %[[S:.*]] = pipe.mma {{.*}} {transpose_b}
// CHECK: %[[VS:.*]] = pipe.wait %[[V]][%[[PREV]]]
// CHECK: %[[OF:.*]] = pipe.mma %[[P]], %[[VS]], %[[O]]
// CHECK-NEXT: pipe.turn_pass
// CHECK: pipe.mma_wait %[[S]] pending 1
// CHECK: pipe.release %[[K]][%[[CUR]]]
// CHECK: math.exp2
// CHECK: %[[DONE:.*]] = pipe.mma_wait %[[OF]] pending 0
// CHECK: pipe.release %[[V]][%[[PREV]]]
// CHECK: %[[NEXT:.*]] = arith.truncf
// CHECK: scf.yield %{{.*}}, %[[CUR]], %[[NEXT]], %[[DONE]]
// CHECK: pipe.wait %[[V]][%[[R]]#1]
// CHECK: pipe.mma %[[R]]#2, %{{.*}}, %[[R]]#3
// CHECK: pipe.mma_wait {{.*}} pending 0
// CHECK: pipe.release %[[V]][%[[R]]#1]
// CHECK: } else {
tile.kernel @rotation(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                     %o: !tile.global<128x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<128x64xf32>
  %zo = arith.constant dense<0.0> : tensor<128x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<128x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<128x64xbf16> to !tile.window<128x64xbf16>
  tile.copy %qw, %qs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<128x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    %e = math.exp2 %s : tensor<128x64xf32>
    %p = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x64xf32> to !tile.window<128x64xf32>
  tile.store %r, %ow : tensor<128x64xf32> to !tile.window<128x64xf32>
  tile.return
}

// A wide accumulator is rescaled behind the issue of the next early product; both slots are waited for before:
// no wait for a barrier stands between the products.
// CHECK-LABEL: tile.kernel @rescale
// CHECK: scf.for
// CHECK-NOT: pipe.turn_wait
// CHECK: pipe.wait %{{.*}}[%{{.*}}] : <!tile.shared<64x192xbf16
// CHECK-NEXT: pipe.wait %{{.*}}[%{{.*}}] : <!tile.shared<64x64xbf16
// CHECK-NOT: pipe.wait
// CHECK: pipe.mma {{.*}} {transpose_b}
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<128x192xf32
// CHECK: pipe.mma {{.*}}, %[[SCALED]]
// CHECK: scf.yield
tile.kernel @rescale(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x192xbf16>,
                     %o: !tile.global<128x192xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<128x64xf32>
  %zo = arith.constant dense<0.0> : tensor<128x192xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<128x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<128x64xbf16> to !tile.window<128x64xbf16>
  tile.copy %qw, %qs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<128x192xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x192xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x192xbf16> to !tile.window<64x192xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x192xbf16> to !tile.shared<64x192xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    %max = tile.reduce max %s axis = 1 : tensor<128x64xf32> to tensor<128xf32>
    %decay = tile.broadcast %max dims = [0] : tensor<128xf32> to tensor<128x192xf32>
    %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xbf16>
    %scaled = arith.mulf %acc, %decay : tensor<128x192xf32>
    %next = tile.gemm %p, %vs, %scaled : tensor<128x64xbf16>, !tile.shared<64x192xbf16>, tensor<128x192xf32>
    scf.yield %next : tensor<128x192xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x192xf32> to !tile.window<128x192xf32>
  tile.store %r, %ow : tensor<128x192xf32> to !tile.window<128x192xf32>
  tile.return
}

// One product is in flight around the loop; a trip releases the slots of the one before.
// CHECK-LABEL: tile.kernel @chain
// CHECK: consumer {
// CHECK: %[[FIRST:.*]] = pipe.mma
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[FIRST]], %[[CUR:.*]] = %{{.*}}, %[[PREV:.*]] = %{{.*}}) -> (!pipe.inflight
// CHECK: %[[NEXT:.*]] = pipe.mma {{.*}}, %[[ACC]]
// CHECK: pipe.mma_drain pending 1
// CHECK-COUNT-2: pipe.release %{{.*}}[%[[PREV]]]
// CHECK: scf.yield %[[NEXT]], %{{.*}}, %[[CUR]]
// CHECK: pipe.mma_wait {{.*}} pending 0
// CHECK-COUNT-2: pipe.release
tile.kernel @chain(%x: !tile.global<64x?xbf16>, %y: !tile.global<64x?xbf16>, %v: !tile.global<?x64xbf16>,
                   %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %at = arith.muli %i, %c64 : i64
    %xs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %ys = tile.alloc_shared : !tile.shared<64x64xbf16>
    %xw = tile.window %x[%c0, %at] dims = [0, 1] : !tile.global<64x?xbf16> to !tile.window<64x64xbf16>
    %yw = tile.window %y[%c0, %at] dims = [0, 1] : !tile.global<64x?xbf16> to !tile.window<64x64xbf16>
    tile.copy %xw, %xs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %yw, %ys : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %xs, %ys, %acc {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A trip cannot hold two slots of a ring of one.
// CHECK-LABEL: tile.kernel @ring_of_one
// CHECK-NOT: pipe.mma
// CHECK: tile.gemm
// CHECK-COUNT-2: pipe.release
tile.kernel @ring_of_one(%x: !tile.global<64x?xbf16>, %y: !tile.global<64x?xbf16>, %v: !tile.global<?x64xbf16>,
                   %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %at = arith.muli %i, %c64 : i64
    %xs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %ys = tile.alloc_shared : !tile.shared<64x64xbf16>
    %xw = tile.window %x[%c0, %at] dims = [0, 1] : !tile.global<64x?xbf16> to !tile.window<64x64xbf16>
    %yw = tile.window %y[%c0, %at] dims = [0, 1] : !tile.global<64x?xbf16> to !tile.window<64x64xbf16>
    tile.copy %xw, %xs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %yw, %ys : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %xs, %ys, %acc {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 1>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

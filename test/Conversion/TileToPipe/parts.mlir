// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-optimize-conversions,convert-tile-to-pipe,pipe-schedule,pipe-expand,pipe-prefetch-indices),canonicalize,cse,tile.kernel(tile-materialize-scratch,tile-allocate-shared,tile-insert-barriers-and-fences,pipe-verify-protocol{model=true}))' | FileCheck %s

// Tiles that several copies fill: one slot, acquired and committed once; the proofs run on each kernel.

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["128", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"]},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["128", "64"], aligned}]}

// Two entries an iteration, both read one ahead. The copies of K and V alternate; their loads do not. Queries:
// columns of two tensors side by side, a slab each.
// CHECK-LABEL: tile.kernel @two_entries
// CHECK-SAME: maps = [{box = [128, 64], param = 0 : i64, swizzle = 128 : i64}, {box = [64, 64], param = 1 : i64, swizzle = 128 : i64}, {box = [64, 64], param = 2 : i64, swizzle = 128 : i64}]
// CHECK: producer {
// CHECK: pipe.acquire %[[Q:.*]][%[[C:.*]]] bytes 32768
// CHECK-NEXT: pipe.load %{{.*}}, %[[Q]][%[[C]]] at [0, 0] map 0
// CHECK-NEXT: pipe.load %{{.*}}, %[[Q]][%[[C]]] at [0, 64] map 0
// CHECK-NEXT: pipe.commit %[[Q]][%[[C]]]
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}}, %[[FIRST:.*]] = %{{.*}}, %[[SECOND:.*]] = %{{.*}}) -> (!pipe.cursor, i32, i32)
// CHECK: pipe.acquire %[[K:.*]][%[[AT]]] bytes 16384
// CHECK-NEXT: pipe.load %{{.*}}, %[[K]][%[[AT]]] at [0, 0] map 1 : <64x64xbf16>
// CHECK-NEXT: pipe.load %{{.*}}, %[[K]][%[[AT]]] at [64, 0] map 1 : <64x64xbf16>
// CHECK-NEXT: pipe.commit %[[K]][%[[AT]]]
// CHECK-NEXT: pipe.acquire %[[V:.*]][%[[AT]]] bytes 16384
// CHECK-NEXT: pipe.load %{{.*}}, %[[V]][%[[AT]]] at [0, 0] map 2
// CHECK-NEXT: pipe.load %{{.*}}, %[[V]][%[[AT]]] at [64, 0] map 2
// CHECK-NEXT: pipe.commit %[[V]][%[[AT]]]
// CHECK: } consumer {
// CHECK-NOT: tile.slice
// CHECK-NOT: tile.copy
// CHECK: pipe.mma
tile.kernel @two_entries(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                         %list: !tile.global<?xi32>, %o: !tile.global<128x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<128x128xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<128x64xbf16> to !tile.window<128x64xbf16>
  %left = tile.slice %qs[%c0, %c0] : !tile.shared<128x128xbf16> to !tile.shared<128x64xbf16>
  %right = tile.slice %qs[%c0, %c64] : !tile.shared<128x128xbf16> to !tile.shared<128x64xbf16>
  tile.copy %qw, %left : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
  tile.copy %qw, %right : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
  %r, %more = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %none, %other = %none) -> (tensor<128x64xf32>, tensor<128x64xf32>) : i64 {
    %even = arith.muli %i, %c2 : i64
    %odd = arith.addi %even, %c1 : i64
    %first = tile.load_scalar %list[%even] : !tile.global<?xi32> to i32
    %second = tile.load_scalar %list[%odd] : !tile.global<?xi32> to i32
    %firstBlock = arith.extsi %first : i32 to i64
    %secondBlock = arith.extsi %second : i32 to i64
    %firstRow = arith.muli %firstBlock, %c64 : i64
    %secondRow = arith.muli %secondBlock, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<128x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<128x64xbf16>
    %k0 = tile.window %k[%firstRow, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %k1 = tile.window %k[%secondRow, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %v0 = tile.window %v[%firstRow, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %v1 = tile.window %v[%secondRow, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %ka = tile.slice %ks[%c0, %c0] : !tile.shared<128x64xbf16> to !tile.shared<64x64xbf16>
    %kb = tile.slice %ks[%c64, %c0] : !tile.shared<128x64xbf16> to !tile.shared<64x64xbf16>
    %va = tile.slice %vs[%c0, %c0] : !tile.shared<128x64xbf16> to !tile.shared<64x64xbf16>
    %vb = tile.slice %vs[%c64, %c0] : !tile.shared<128x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %k0, %ka : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %v0, %va : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %k1, %kb : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %v1, %vb : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %half = tile.gemm %qs, %qs, %zero {transpose_b} : !tile.shared<128x128xbf16>, !tile.shared<128x128xbf16>, tensor<128x128xf32>
    %p = arith.truncf %half : tensor<128x128xf32> to tensor<128x128xbf16>
    %a = tile.gemm %p, %ks, %acc : tensor<128x128xbf16>, !tile.shared<128x64xbf16>, tensor<128x64xf32>
    %b = tile.gemm %p, %vs, %other : tensor<128x128xbf16>, !tile.shared<128x64xbf16>, tensor<128x64xf32>
    scf.yield %a, %b : tensor<128x64xf32>, tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x64xf32> to !tile.window<128x64xf32>
  %sum = arith.addf %r, %more : tensor<128x64xf32>
  tile.store %sum, %ow : tensor<128x64xf32> to !tile.window<128x64xf32>
  tile.return
}

// A loop of plain products, then one of grouped products: the same ring holds 128 rows, and two times 64.
// CHECK-LABEL: tile.kernel @two_loops
// CHECK: %[[RING:.*]] = pipe.channel {{.*}} : <!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
// CHECK-NOT: pipe.channel {
// CHECK: producer {
// CHECK: scf.for
// CHECK: pipe.load %{{.*}}, %[[RING]][%{{.*}}] map 0 : <128x64xbf16>
// CHECK: scf.for
// CHECK: pipe.load %{{.*}}, %[[RING]][%{{.*}}] at [0, 0] map 1 : <64x64xbf16>
// CHECK: pipe.load %{{.*}}, %[[RING]][%{{.*}}] at [64, 0] map 1 : <64x64xbf16>
// CHECK: } consumer {
// CHECK: pipe.wait %[[RING]][%{{.*}}] : {{.*}} -> <128x64xbf16,
// CHECK: pipe.wait %[[RING]][%{{.*}}] : {{.*}} -> <2x64x64xbf16,
tile.kernel @two_loops(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                       %list: !tile.global<?xi32>, %o: !tile.global<128x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %p = arith.constant dense<1.0> : tensor<128x128xbf16>
  %half = arith.constant dense<1.0> : tensor<128x64xbf16>
  %trips = tile.dim "most"
  %plain = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %none) -> (tensor<128x64xf32>) : i64 {
    %row = arith.muli %i, %c128 : i64
    %ks = tile.alloc_shared : !tile.shared<128x64xbf16>
    %w = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    tile.copy %w, %ks : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    %next = tile.gemm %p, %ks, %acc : tensor<128x128xbf16>, !tile.shared<128x64xbf16>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %plain) -> (tensor<128x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %later = arith.addi %row, %c128 : i64
    %vs = tile.alloc_shared : !tile.shared<2x64x64xbf16>
    %w0 = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %w1 = tile.window %v[%later, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %v0 = tile.slice %vs[%c0, %c0, %c0] : !tile.shared<2x64x64xbf16> to !tile.shared<64x64xbf16>
    %v1 = tile.slice %vs[%c1, %c0, %c0] : !tile.shared<2x64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %w0, %v0 : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %w1, %v1 : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %half, %vs, %acc : tensor<128x64xbf16>, !tile.shared<2x64x64xbf16>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x64xf32> to !tile.window<128x64xf32>
  tile.store %r, %ow : tensor<128x64xf32> to !tile.window<128x64xf32>
  tile.return
}

// Only one of two tiles is equal: both loops have rings of their own.
// CHECK-LABEL: tile.kernel @unequal_loops
// CHECK-COUNT-4: pipe.channel {
// CHECK-NOT: pipe.channel {
tile.kernel @unequal_loops(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                       %list: !tile.global<?xi32>, %o: !tile.global<128x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %p = arith.constant dense<1.0> : tensor<128x128xbf16>
  %half = arith.constant dense<1.0> : tensor<128x64xbf16>
  %trips = tile.dim "most"
  %plain = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %none) -> (tensor<128x64xf32>) : i64 {
    %row = arith.muli %i, %c128 : i64
    %ks = tile.alloc_shared : !tile.shared<128x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<128x64xbf16>
    %w = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    tile.copy %w, %ks : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    tile.copy %w, %vs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    %a = tile.gemm %p, %ks, %acc : tensor<128x128xbf16>, !tile.shared<128x64xbf16>, tensor<128x64xf32>
    %next = tile.gemm %p, %vs, %a : tensor<128x128xbf16>, !tile.shared<128x64xbf16>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %plain) -> (tensor<128x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<128x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    %v0 = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %ks : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    tile.copy %v0, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %a = tile.gemm %p, %ks, %acc : tensor<128x128xbf16>, !tile.shared<128x64xbf16>, tensor<128x64xf32>
    %next = tile.gemm %half, %vs, %a : tensor<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x64xf32> to !tile.window<128x64xf32>
  tile.store %r, %ow : tensor<128x64xf32> to !tile.window<128x64xf32>
  tile.return
}

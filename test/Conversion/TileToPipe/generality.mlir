// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-optimize-conversions,convert-tile-to-pipe,pipe-schedule,pipe-expand,pipe-prefetch-indices),canonicalize,cse,tile.kernel(tile-materialize-scratch,tile-allocate-shared,tile-insert-barriers-and-fences,pipe-verify-protocol{model=true}))' | FileCheck %s

// Loops of different make that all take the scheduled path; the proofs run on each.

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["64", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "scales", kind = "tensor", access = "in", dtype = "f32", extents = ["n"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"]},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// Blocks by a list: the producer carries the next index, the products overlap.
// CHECK-LABEL: tile.kernel @block_list
// CHECK: pipe.specialize producer
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[BLOCK:.*]] = %{{.*}}) -> (!pipe.cursor, i32)
// CHECK: tile.load_scalar
// CHECK: arith.extsi %[[BLOCK]]
// CHECK: } consumer {
// CHECK: scf.for
// CHECK: pipe.mma {{.*}} {transpose_b}
// CHECK: pipe.mma %{{.*}} : tensor
// CHECK: pipe.mma_wait {{.*}} pending 1
tile.kernel @block_list(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                        %scales: !tile.global<?xf32>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %block = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %wide = arith.extsi %block : i32 to i64
    %row = arith.muli %wide, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = math.exp2 %s : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Three products: K is read by the first one and by the late one, which is in the next iteration; only
// then it is released.
// CHECK-LABEL: tile.kernel @three_products
// CHECK: pipe.channel
// CHECK: %[[K:.*]] = pipe.channel
// CHECK: %[[V:.*]] = pipe.channel
// CHECK: consumer {
// CHECK: scf.for {{.*}} iter_args(
// CHECK-SAME: !tile.shared<64x64xbf16
// CHECK-COUNT-3: pipe.mma %
// CHECK: pipe.mma_wait {{.*}} pending 2
// CHECK: pipe.mma_wait {{.*}} pending 1
// CHECK: pipe.release %[[V]]
// CHECK-NOT: pipe.release
// CHECK: pipe.mma_wait {{.*}} pending 0
// CHECK: pipe.release %[[K]]
// CHECK: scf.yield
tile.kernel @three_products(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                            %scales: !tile.global<?xf32>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %dp = tile.gemm %qs, %vs, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = math.exp2 %s : tensor<64x64xf32>
    %ds = arith.mulf %e, %dp : tensor<64x64xf32>
    %dsh = arith.truncf %ds : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %dsh, %ks, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A vector of scales beside K, read by threads: every warp releases it, behind the load.
// CHECK-LABEL: tile.kernel @scale_per_key
// CHECK: %[[SCALES:.*]] = pipe.channel {{.*}}thread_readers{{.*}}<64xf32
// CHECK: consumer {
// CHECK: scf.for
// CHECK: pipe.mma
// CHECK: %[[SLOT:.*]] = pipe.wait %[[SCALES]]
// CHECK: tile.load %[[SLOT]]
// CHECK: pipe.release %[[SCALES]]
tile.kernel @scale_per_key(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                           %scales: !tile.global<?xf32>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %cs = tile.alloc_shared : !tile.shared<64xf32>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %cw = tile.window %scales[%row] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %cw, %cs : !tile.window<64xf32> to !tile.shared<64xf32>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %scale = tile.load %cs : !tile.shared<64xf32> to tensor<64xf32>
    %columns = tile.broadcast %scale dims = [1] : tensor<64xf32> to tensor<64x64xf32>
    %scaled = arith.mulf %s, %columns : tensor<64x64xf32>
    %e = math.exp2 %scaled : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A window of keys, then sink blocks: two loops, one set of rings, cursors that go on.
// CHECK-LABEL: tile.kernel @two_loops
// CHECK-COUNT-3: pipe.channel
// CHECK-NOT: pipe.channel
// CHECK: producer
// CHECK: %[[FIRST:.*]] = scf.for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: consumer
// CHECK: pipe.mma_wait {{.*}} pending 1
// CHECK: pipe.mma_wait {{.*}} pending 1
tile.kernel @two_loops(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                       %scales: !tile.global<?xf32>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %sinks = tile.dim "n"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %first = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = math.exp2 %s : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %r = scf.for %i = %c0 to %sinks step %c1 iter_args(%acc = %first) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = math.exp2 %s : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A product under a condition: no product ties the warps where it is skipped, so each warp releases the
// slot for itself.
// CHECK-LABEL: tile.kernel @guarded_product
// CHECK: pipe.channel {{.*}}thread_readers
// CHECK: } consumer {
// CHECK: pipe.wait
// CHECK: scf.if
// CHECK: tile.gemm
// CHECK: pipe.release
tile.kernel @guarded_product(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
    %scales: !tile.global<?xf32>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %none = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %bit = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %taken = arith.cmpi ne, %bit, %none : i32
    %next = scf.if %taken -> (tensor<64x64xf32>) {
      %product = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %product : tensor<64x64xf32>
    } else {
      scf.yield %a : tensor<64x64xf32>
    }
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A place that goes on by data: both roles carry it, and both search for the next one; the consumers do so at
// the end of an iteration, where the search cuts no work in two.
// CHECK-LABEL: tile.kernel @carried_index
// CHECK: producer
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[AT:.*]] = %{{.*}}) -> (!pipe.cursor, i64)
// CHECK: tile.window %{{.*}}[%[[AT]],
// CHECK: pipe.commit
// CHECK: scf.while
// CHECK: } consumer {
// CHECK: scf.for
// CHECK: pipe.mma_wait {{.*}} pending 1
// CHECK-NOT: scf.while
// CHECK: pipe.mma_wait {{.*}} pending 0
// CHECK: arith.truncf
// CHECK: scf.while
tile.kernel @carried_index(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                           %scales: !tile.global<?xf32>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %c0) -> (tensor<64x64xf32>, i64) : i64 {
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%at, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%at, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %place = arith.trunci %at : i64 to i32
    %number = arith.sitofp %place : i32 to f32
    %all = tile.broadcast %number dims = [] : f32 to tensor<64x64xf32>
    %shifted = arith.addf %s, %all : tensor<64x64xf32>
    %e = math.exp2 %shifted : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %after = arith.addi %at, %c1 : i64
    %found = scf.while (%x = %after) : (i64) -> i64 {
      %bit = tile.load_scalar %list[%x] : !tile.global<?xi32> to i32
      %inside = arith.cmpi slt, %x, %trips : i64
      %clear = arith.cmpi eq, %bit, %none : i32
      %on = arith.andi %inside, %clear : i1
      scf.condition(%on) %x : i64
    } do {
    ^bb0(%x: i64):
      %y = arith.addi %x, %c1 : i64
      scf.yield %y : i64
    }
    scf.yield %next, %found : tensor<64x64xf32>, i64
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Two heads' rows in a tile, and both their keys and values in slots of three axes, each brought by one load.
#heads = {dims = ["n", "h"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["128", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["h", "n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["h", "n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["128", "64"], aligned}]}
// CHECK-LABEL: tile.kernel @grouped
// CHECK: pipe.channel {{.*}}<2x32x64xbf16
// CHECK: pipe.channel {{.*}}<2x32x64xbf16
// CHECK: producer {
// CHECK: scf.for
// CHECK: pipe.load {{.*}} : <2x32x64xbf16> to
// CHECK: pipe.load {{.*}} : <2x32x64xbf16> to
// CHECK: } consumer {
// CHECK: scf.for
// CHECK: pipe.mma {{.*}} {transpose_b} : !tile.shared<128x64xbf16{{.*}}, <2x32x64xbf16
// CHECK: pipe.mma %{{.*}} : tensor<128x32xbf16, {{.*}}, <2x32x64xbf16
// CHECK: pipe.mma_wait {{.*}} pending 1
tile.kernel @grouped(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x?x64xbf16>, %v: !tile.global<?x?x64xbf16>,
                     %o: !tile.global<128x64xf32>) attributes {tile.launch = #heads} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %none = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %trips = tile.dim "n"
  %qs = tile.alloc_shared : !tile.shared<128x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<128x64xbf16> to !tile.window<128x64xbf16>
  tile.copy %qw, %qs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i64 {
    %row = arith.muli %i, %c32 : i64
    %ks = tile.alloc_shared : !tile.shared<2x32x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<2x32x64xbf16>
    %kw = tile.window %k[%c0, %row, %c0] dims = [0, 1, 2] : !tile.global<?x?x64xbf16> to !tile.window<2x32x64xbf16>
    %vw = tile.window %v[%c0, %row, %c0] dims = [0, 1, 2] : !tile.global<?x?x64xbf16> to !tile.window<2x32x64xbf16>
    tile.copy %kw, %ks : !tile.window<2x32x64xbf16> to !tile.shared<2x32x64xbf16>
    tile.copy %vw, %vs : !tile.window<2x32x64xbf16> to !tile.shared<2x32x64xbf16>
    %s = tile.gemm %qs, %ks, %none {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<2x32x64xbf16>, tensor<128x32xf32>
    %e = math.exp2 %s : tensor<128x32xf32>
    %p = arith.truncf %e : tensor<128x32xf32> to tensor<128x32xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<128x32xbf16>, !tile.shared<2x32x64xbf16>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x64xf32> to !tile.window<128x64xf32>
  tile.store %r, %ow : tensor<128x64xf32> to !tile.window<128x64xf32>
  tile.return
}

// Scores that are the sum of two products, and a result that is: one accumulator goes through both products of a
// kind without a wait in between.
// CHECK-LABEL: tile.kernel @sums_of_products
// CHECK: consumer {
// CHECK: scf.for
// CHECK: %[[A:.*]] = pipe.mma {{.*}} {transpose_b}
// CHECK: %[[B:.*]] = pipe.mma %{{.*}}, %{{.*}}, %[[A]] {transpose_b} : {{.*}}!pipe.inflight
// CHECK: %[[C:.*]] = pipe.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor
// CHECK: %[[D:.*]] = pipe.mma %{{.*}}, %{{.*}}, %[[C]] : tensor{{.*}}!pipe.inflight
// CHECK: pipe.mma_wait %[[B]] pending 2
// CHECK: pipe.mma_wait %[[D]] pending 0
tile.kernel @sums_of_products(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                              %scales: !tile.global<?xf32>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s0 = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %s1 = tile.gemm %qs, %vs, %s0 {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = math.exp2 %s1 : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %a = tile.gemm %p, %ks, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %next = tile.gemm %p, %vs, %a : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

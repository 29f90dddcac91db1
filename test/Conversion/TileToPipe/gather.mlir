// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-optimize-conversions,convert-tile-to-pipe),canonicalize,cse)' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-optimize-conversions,convert-tile-to-pipe,pipe-schedule,pipe-expand,pipe-prefetch-indices),canonicalize,cse,tile.kernel(tile-materialize-scratch,tile-allocate-shared,tile-insert-barriers-and-fences,pipe-verify-protocol{model=true}))' | FileCheck %s --check-prefix=FENCE

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["64", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// The rows' indices are read in the layout of the producer, of the next trip while those of this one are
// copied; the consumers read them for themselves where they mask. Slots are full after 128 arrivals.
// CHECK: #[[ROWS:.*]] = #tile.frag<reg = [], lane = {{\[\[0\], \[0\], \[0\], \[1\], \[2\]\]}}, warp = {{\[\[4\], \[8\]\]}}, repeat = {{\[\[0, 4\]\]}}, warps = []>
// CHECK-LABEL: tile.kernel @listed
// CHECK: %[[Q:.*]] = pipe.channel {thread_readers}
// CHECK: %[[K:.*]] = pipe.channel {copiers = 128 : i64}
// CHECK: pipe.specialize producer
// CHECK: pipe.acquire %[[Q]][%{{.*}}] bytes 8192
// CHECK: pipe.load
// CHECK: %[[FIRST:.*]] = tile.load %{{.*}} pad -1 : i32 : !tile.window<64xi32> to tensor<64xi32, #[[ROWS]]>
// CHECK: scf.for {{.*}} iter_args(%[[CURSOR:.*]] = %{{.*}}, %[[INDEX:.*]] = %[[FIRST]])
// CHECK: %[[NEXT:.*]] = tile.load {{.*}} to tensor<64xi32, #[[ROWS]]>
// CHECK: pipe.acquire %[[K]][%[[CURSOR]]] bytes 0
// CHECK: pipe.gather %{{.*}}[%[[INDEX]]], %[[K]][%[[CURSOR]]] axis = 0
// CHECK: pipe.commit %[[K]]
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: } consumer {
// CHECK: scf.for
// CHECK: pipe.wait %[[K]]
// CHECK: tile.load {{.*}} to tensor<64xi32
// CHECK-NOT: tile.convert_layout
// CHECK-NOT: tile.gather_copy
// CHECK: tile.return

// Each wait for copies of threads is fenced before a product reads; TMA's are not.
// FENCE-LABEL: tile.kernel @listed
// FENCE: %[[Q:.*]] = pipe.channel {{.*}}thread_readers
// FENCE: %[[K:.*]] = pipe.channel {{.*}}copiers = 128
// FENCE: consumer
// FENCE: pipe.wait %[[Q]]
// FENCE-NOT: sm.fence_proxy
// FENCE: pipe.wait %[[K]]
// FENCE-NEXT: sm.fence_proxy
// FENCE: tile.gemm
tile.kernel @listed(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>,
                    %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0> : tensor<64xi32>
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %at = arith.muli %i, %c64 : i64
    %iw = tile.window %list[%at] dims = [0] : !tile.global<?xi32> to !tile.window<64xi32>
    %index = tile.load %iw pad -1 : i32 : !tile.window<64xi32> to tensor<64xi32>
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %k[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.gather_copy %w[%index], %s axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
    %scores = tile.gemm %qs, %s, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %there = arith.cmpi sge, %index, %none : tensor<64xi32>
    %mask = tile.broadcast %there dims = [1] : tensor<64xi1> to tensor<64x64xi1>
    %seen = arith.select %mask, %scores, %zero : tensor<64x64xi1>, tensor<64x64xf32>
    %next = arith.addf %a, %seen : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

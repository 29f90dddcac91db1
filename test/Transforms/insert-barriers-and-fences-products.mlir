// RUN: tile-opt %s -tile-insert-barriers-and-fences | FileCheck %s

// Products read shared tiles through the async proxy (wgmma) or as threads do (mma.sync); functions are
// named by their hazard.
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#mma = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 8]], warps = [[0, 4]]>
!acc = tensor<64x64xf32, #acc>
!tile = !tile.shared<64x64xbf16, #tile.swizzle<128>>

// wgmma reads through the async proxy: generic writes and cp.async need the fence.
// CHECK-LABEL: tile.kernel @raw_wgmma
// CHECK: tile.copy
// CHECK-NEXT: tile.store
// CHECK-NEXT: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.fence_proxy
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.gemm
// CHECK-NEXT: tile.return
tile.kernel @raw_wgmma(%g: !tile.global<?x64xbf16>, %o: i64, %p: bf16) {
  %a = tile.alloc_shared at 0 : !tile
  %b = tile.alloc_shared at 8192 : !tile
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.broadcast %p dims = [] : bf16 to tensor<64x64xbf16, #acc>
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %w, %b : !tile.window<64x64xbf16> to !tile
  tile.store %x, %a : tensor<64x64xbf16, #acc> to !tile
  %r = tile.gemm %a, %b, %zero {transpose_b} : !tile, !tile, !acc
  tile.return
}

// A generic reader comes first: the fence stands at its barrier, and wgmma needs no other.
// CHECK-LABEL: tile.kernel @raw_generic_then_wgmma
// CHECK: tile.store
// CHECK-NEXT: sm.fence_proxy
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.gemm
tile.kernel @raw_generic_then_wgmma(%p: bf16) {
  %a = tile.alloc_shared at 0 : !tile
  %zero = arith.constant dense<0.0> : !acc
  %x = tile.broadcast %p dims = [] : bf16 to tensor<64x64xbf16, #acc>
  tile.store %x, %a : tensor<64x64xbf16, #acc> to !tile
  %y = tile.load %a : !tile to tensor<64x64xbf16, #acc>
  %r = tile.gemm %a, %a, %zero {transpose_b} : !tile, !tile, !acc
  tile.return
}

// mma.sync reads like any thread: no fence.
// CHECK-LABEL: tile.kernel @raw_mma
// CHECK-NOT: sm.fence_proxy
// CHECK: sm.barrier
// CHECK-NEXT: tile.gemm
// CHECK-NOT: sm.fence_proxy
tile.kernel @raw_mma(%p: bf16) {
  %a = tile.alloc_shared at 0 : !tile
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %x = tile.broadcast %p dims = [] : bf16 to tensor<64x64xbf16, #mma>
  tile.store %x, %a : tensor<64x64xbf16, #mma> to !tile
  %r = tile.gemm %a, %a, %zero {transpose_b} : !tile, !tile, tensor<64x64xf32, #mma>
  tile.return
}

// The loop of a product: the copies wait once for the readers of the iteration before, the product
// once for the copies.
// CHECK-LABEL: tile.kernel @war_raw_loop
// CHECK: scf.for
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.copy
// CHECK-NEXT: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.fence_proxy
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.gemm
// CHECK-NEXT: scf.yield
tile.kernel @war_raw_loop(%g: !tile.global<?x64xbf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.alloc_shared at 0 : !tile
  %b = tile.alloc_shared at 8192 : !tile
  %zero = arith.constant dense<0.0> : !acc
  %w = tile.window %g[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!acc) : i64 {
    tile.copy %w, %a : !tile.window<64x64xbf16> to !tile
    tile.copy %w, %b : !tile.window<64x64xbf16> to !tile
    %d = tile.gemm %a, %b, %c {transpose_b} : !tile, !tile, !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Q is copied before the loop, K and V in it: the first product waits for Q and K but not for V, in
// every iteration.
// CHECK-LABEL: tile.kernel @raw_copy_before_loop
// CHECK: tile.copy
// CHECK: scf.for
// CHECK-NEXT: tile.copy
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.copy
// CHECK-NEXT: sm.cp_async_wait {pending = 1 : i64}
// CHECK-NEXT: sm.fence_proxy
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.gemm
// CHECK-NEXT: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.fence_proxy
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.gemm
tile.kernel @raw_copy_before_loop(%g: !tile.global<?x64xbf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %q = tile.alloc_shared at 0 : !tile
  %k = tile.alloc_shared at 8192 : !tile
  %v = tile.alloc_shared at 16384 : !tile
  %zero = arith.constant dense<0.0> : !acc
  %w = tile.window %g[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %w, %q : !tile.window<64x64xbf16> to !tile
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (!acc) : i64 {
    tile.copy %w, %k : !tile.window<64x64xbf16> to !tile
    tile.copy %w, %v : !tile.window<64x64xbf16> to !tile
    %s = tile.gemm %q, %k, %zero {transpose_b} : !tile, !tile, !acc
    %d = tile.gemm %q, %v, %s : !tile, !tile, !acc
    scf.yield %d : !acc
  }
  tile.return
}

// In a role the consumers meet among themselves, and slots need nothing: their channel orders them.
// CHECK-LABEL: tile.kernel @roles
// CHECK: producer {
// CHECK-NOT: barrier
// CHECK: consumer {
// CHECK: %[[SLOT:.*]] = pipe.wait
// CHECK-NEXT: %[[X:.*]] = tile.load %[[SLOT]]
// CHECK-NEXT: pipe.release
// CHECK-NEXT: tile.store %[[X]], %[[S:.*]] :
// CHECK-NEXT: sm.fence_proxy
// CHECK-NEXT: pipe.role_barrier
// CHECK-NEXT: %[[F:.*]] = pipe.mma %[[S]], %[[S]]
// CHECK-NEXT: %[[R:.*]] = pipe.mma_wait %[[F]] pending 0
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: pipe.role_barrier
// CHECK-NEXT: tile.store %{{.*}}, %[[S]]
// CHECK-NOT: barrier
!channel = !pipe.channel<!tile, 2>
!half = tensor<64x64xbf16, #acc>
tile.kernel @roles(%g: !tile.global<?x64xbf16>, %o: i64) {
  %zero = arith.constant dense<0.0> : !acc
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %s = tile.alloc_shared at 16384 : !tile
  %k = pipe.channel {offset = 0 : i64, barriers = 24576 : i64} : !channel
  %c = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %k[%c] bytes 8192 : !channel
    pipe.load %w, %k[%c] map 0 : !tile.window<64x64xbf16> to !channel
    pipe.commit %k[%c] : !channel
  } consumer {
    %slot = pipe.wait %k[%c] : !channel -> !tile
    %x = tile.load %slot : !tile to !half
    pipe.release %k[%c] : !channel
    tile.store %x, %s : !half to !tile
    %f = pipe.mma %s, %s, %zero {transpose_b} : !tile, !tile, !acc -> !pipe.inflight<!acc>
    %r = pipe.mma_wait %f pending 0 : !pipe.inflight<!acc> -> !acc
    %y = arith.truncf %r : !acc to !half
    tile.store %y, %s : !half to !tile
  }
  tile.return
}

// The older of two products is finished when one is pending.
// CHECK-LABEL: tile.kernel @war_in_flight
// CHECK: pipe.mma_wait %{{.*}} pending 1
// CHECK: pipe.role_barrier
// CHECK-NEXT: tile.store
tile.kernel @war_in_flight() {
  %zero = arith.constant dense<0.0> : !acc
  %x = arith.constant dense<0.0> : !half
  %a = tile.alloc_shared at 0 : !tile
  %b = tile.alloc_shared at 8192 : !tile
  pipe.specialize producer {
  } consumer {
    %f = pipe.mma %a, %a, %zero {transpose_b} : !tile, !tile, !acc -> !pipe.inflight<!acc>
    %h = pipe.mma %b, %b, %zero {transpose_b} : !tile, !tile, !acc -> !pipe.inflight<!acc>
    %r = pipe.mma_wait %f pending 1 : !pipe.inflight<!acc> -> !acc
    tile.store %x, %a : !half to !tile
    %t = pipe.mma_wait %h pending 0 : !pipe.inflight<!acc> -> !acc
  }
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics -tile-insert-barriers-and-fences

tile.kernel @no_offset() {
  // expected-error @+1 {{has no offset; run tile-allocate-shared first}}
  %s = tile.alloc_shared : !tile.shared<128xf32>
  tile.return
}

// -----

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
!acc = tensor<64x64xf32, #acc>
!half = tensor<64x64xbf16, #acc>
!tile = !tile.shared<64x64xbf16, #tile.swizzle<128>>

// The younger product is still in flight when one may be pending.
tile.kernel @write_in_flight() {
  %zero = arith.constant dense<0.0> : !acc
  %x = arith.constant dense<0.0> : !half
  %a = tile.alloc_shared at 0 : !tile
  %b = tile.alloc_shared at 8192 : !tile
  pipe.specialize producer {
  } consumer {
    %f = pipe.mma %a, %a, %zero {transpose_b} : !tile, !tile, !acc -> !pipe.inflight<!acc>
    // expected-note @+1 {{the product}}
    %h = pipe.mma %b, %b, %zero {transpose_b} : !tile, !tile, !acc -> !pipe.inflight<!acc>
    %r = pipe.mma_wait %f pending 1 : !pipe.inflight<!acc> -> !acc
    // expected-error @+1 {{writes a shared tile that a matrix product in flight still reads; wait for it first}}
    tile.store %x, %b : !half to !tile
    %t = pipe.mma_wait %h pending 0 : !pipe.inflight<!acc> -> !acc
  }
  tile.return
}

// RUN: tile-opt %s -convert-tile-to-sm -split-input-file -verify-diagnostics

tile.kernel @no_place() attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  // expected-error @below {{has no place in shared memory; run 'tile-allocate-shared' first}}
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  tile.return
}

// -----

tile.kernel @half_a_group() attributes {tile.num_warps = 2 : i64, tile.producer_warps = 4 : i64} {
  // expected-error @below {{is released by whole warpgroups, expected a number of consumer warps that is a multiple of 4, found 2}}
  %k = pipe.channel {offset = 0 : i64, barriers = 16384 : i64} : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  tile.return
}

// -----

tile.kernel @no_producer() attributes {tile.num_warps = 4 : i64} {
  // expected-error @below {{stands in a kernel without 'tile.producer_warps', the number of the producer's warps}}
  pipe.specialize producer {
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @no_map(%x: !tile.global<?x64xbf16>, %n: i64) attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64, tile.launch = {dims = [], maps = []}} {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %k = pipe.channel {offset = 0 : i64, barriers = 16384 : i64} : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{uses tensor map 1, 'tile.launch' describes 0 in 'maps'}}
    pipe.load %w, %k[%c] map 1 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

// The second slab would start in the middle of the swizzle's pattern.
tile.kernel @not_for_tma(%x: !tile.global<?x128xbf16>, %n: i64) attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64,
    tile.launch = {dims = [], maps = [{param = 0 : i64, box = [12, 64], swizzle = 128 : i64}]}} {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<12x128xbf16>
  %k = pipe.channel {offset = 0 : i64, barriers = 16384 : i64} : !pipe.channel<!tile.shared<12x128xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{fills a slot whose layout TMA cannot write}}
    pipe.load %w, %k[%c] map 0 : !tile.window<12x128xbf16> to !pipe.channel<!tile.shared<12x128xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

#mma = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 8]], warps = [[0, 4]]>
tile.kernel @not_wgmma() attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %q = tile.alloc_shared at 0 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  pipe.specialize producer {
  } consumer {
    // expected-error @below {{expected an accumulator laid out for wgmma, which alone runs on while the warps go on}}
    %s = pipe.mma %q, %q, %none {transpose_b} : !tile.shared<64x64xbf16, #tile.swizzle<128>>, !tile.shared<64x64xbf16, #tile.swizzle<128>>, tensor<64x64xf32, #mma> -> !pipe.inflight<tensor<64x64xf32, #mma>>
  }
  tile.return
}

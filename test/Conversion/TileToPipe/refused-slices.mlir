// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -verify-diagnostics

// Parts of shared tiles that are read by themselves.

#launch = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

tile.kernel @read_in_parts(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c128 : i64
    %s = tile.alloc_shared : !tile.shared<128x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    tile.copy %w, %s : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: a part of the shared tile is used by itself}}
    %lower = tile.slice %s[%c64, %c0] : !tile.shared<128x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %lower, %lower, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

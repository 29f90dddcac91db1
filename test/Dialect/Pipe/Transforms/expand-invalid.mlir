// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -convert-tile-to-pipe -pipe-expand -verify-diagnostics

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["64", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// Work on the result of a late product comes behind the wait for it, and so does what needs that work. `pipe-schedule`
// marks no such product; marks by hand are checked.
tile.kernel @marked(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                    %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  // expected-error @+1 {{cannot rotate this loop: a late product needs work on the result of another one}}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
    %t = tile.gemm %p, %vs, %zero {pipe.late} : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %tp = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %tp, %vs, %acc {pipe.late} : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// RUN: tile-opt %s -pipe-verify-protocol -split-input-file -verify-diagnostics

// Not more than one trip is one trip where there is a test for that.
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!acc = tensor<64x64xf32, #acc>
!flying = !pipe.inflight<tensor<64x64xf32, #acc>>
!p = tensor<64x64xbf16, #acc>

tile.kernel @under_a_test(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
  %p = arith.constant dense<0.0> : !p
  %trips = tile.dim "most"
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ring = pipe.channel : !ring
  %start = pipe.cursor
  pipe.specialize producer {
    %end = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      pipe.acquire %ring[%at] bytes 8192 : !ring
      pipe.load %w, %ring[%at] map 0 : !tile.window<64x64xbf16> to !ring
      pipe.commit %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %next : !pipe.cursor
    }
  } consumer {
    %some = arith.cmpi slt, %c0, %trips : i64
    scf.if %some {
      %more = arith.cmpi slt, %c1, %trips : i64
      %end = scf.if %more -> (!pipe.cursor) {
        %all = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
          %slot = pipe.wait %ring[%at] : !ring -> !slot
          %flying = pipe.mma %p, %slot, %zero : !p, !slot, !acc -> !flying
          %done = pipe.mma_wait %flying pending 0 : !flying -> !acc
          pipe.release %ring[%at] : !ring
          %next = pipe.advance %ring[%at] : !ring
          scf.yield %next : !pipe.cursor
        }
        scf.yield %all : !pipe.cursor
      } else {
        %slot = pipe.wait %ring[%start] : !ring -> !slot
        %flying = pipe.mma %p, %slot, %zero : !p, !slot, !acc -> !flying
        %done = pipe.mma_wait %flying pending 0 : !flying -> !acc
        pipe.release %ring[%start] : !ring
        %one = pipe.advance %ring[%start] : !ring
        scf.yield %one : !pipe.cursor
      }
    }
  }
  tile.return
}

// -----

// Without it there may be none, and the producer fills nothing.
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!acc = tensor<64x64xf32, #acc>
!flying = !pipe.inflight<tensor<64x64xf32, #acc>>
!p = tensor<64x64xbf16, #acc>

tile.kernel @without_a_test(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
  %p = arith.constant dense<0.0> : !p
  %trips = tile.dim "most"
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ring = pipe.channel : !ring
  %start = pipe.cursor
  pipe.specialize producer {
    %end = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      pipe.acquire %ring[%at] bytes 8192 : !ring
      pipe.load %w, %ring[%at] map 0 : !tile.window<64x64xbf16> to !ring
      pipe.commit %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %next : !pipe.cursor
    }
  } consumer {
    %more = arith.cmpi slt, %c1, %trips : i64
    // expected-error @+1 {{channel 'x': the two paths use different numbers of slots}}
    %end = scf.if %more -> (!pipe.cursor) {
      %all = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
        %slot = pipe.wait %ring[%at] : !ring -> !slot
        %flying = pipe.mma %p, %slot, %zero : !p, !slot, !acc -> !flying
        %done = pipe.mma_wait %flying pending 0 : !flying -> !acc
        pipe.release %ring[%at] : !ring
        %next = pipe.advance %ring[%at] : !ring
        scf.yield %next : !pipe.cursor
      }
      scf.yield %all : !pipe.cursor
    } else {
      %slot = pipe.wait %ring[%start] : !ring -> !slot
      %flying = pipe.mma %p, %slot, %zero : !p, !slot, !acc -> !flying
      %done = pipe.mma_wait %flying pending 0 : !flying -> !acc
      pipe.release %ring[%start] : !ring
      %one = pipe.advance %ring[%start] : !ring
      scf.yield %one : !pipe.cursor
    }
  }
  tile.return
}

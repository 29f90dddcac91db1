// RUN: tile-opt %s -pipe-verify-protocol -split-input-file -verify-diagnostics

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!acc = tensor<64x64xf32, #acc>
!flying = !pipe.inflight<tensor<64x64xf32, #acc>>
!p = tensor<64x64xbf16, #acc>

// A drain knows no registers: between product and wait the next value may get those of this one.
tile.kernel @drained(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
  %p0 = arith.constant dense<0.0> : !p
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
    %r, %end, %pe = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %start, %p = %p0) -> (!acc, !pipe.cursor, !p) : i64 {
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %p, %slot, %acc : !p, !slot, !acc -> !flying
      // expected-error @+1 {{gives the operand in registers of a product in flight its next value; expected the wait for the product first}}
      %pn = arith.truncf %acc : !acc to !p
      pipe.mma_drain pending 0
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %acc, %next, %pn : !acc, !pipe.cursor, !p
    }
  }
  tile.return
}

// -----

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!acc = tensor<64x64xf32, #acc>
!flying = !pipe.inflight<tensor<64x64xf32, #acc>>

// The branch yields a slot that was released on one path.
tile.kernel @two_slots(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant dense<0.0> : !acc
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ring = pipe.channel : !ring
  %start = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %ring[%start] bytes 8192 : !ring
    pipe.load %w, %ring[%start] map 0 : !tile.window<64x64xbf16> to !ring
    pipe.commit %ring[%start] : !ring
    %next = pipe.advance %ring[%start] : !ring
    pipe.acquire %ring[%next] bytes 8192 : !ring
    pipe.load %w, %ring[%next] map 0 : !tile.window<64x64xbf16> to !ring
    pipe.commit %ring[%next] : !ring
  } consumer {
    %some = tile.dim "most"
    %test = arith.cmpi eq, %some, %c0 : i64
    %old = pipe.wait %ring[%start] : !ring -> !slot
    pipe.release %ring[%start] : !ring
    %next = pipe.advance %ring[%start] : !ring
    %new = pipe.wait %ring[%next] : !ring -> !slot
    // expected-error @+1 {{the two paths yield different slots}}
    %which = scf.if %test -> (!slot) {
      scf.yield %new : !slot
    } else {
      scf.yield %old : !slot
    }
    %s = pipe.mma %which, %which, %zero {transpose_b} : !slot, !slot, !acc -> !flying
    %d = pipe.mma_wait %s pending 0 : !flying -> !acc
    pipe.release %ring[%next] : !ring
  }
  tile.return
}

// -----

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!acc = tensor<64x64xf32, #acc>
!flying = !pipe.inflight<tensor<64x64xf32, #acc>>
!p = tensor<64x64xbf16, #acc>

// Nor does one on the other path of a branch.
tile.kernel @drained_on_one_path(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
  %p0 = arith.constant dense<0.0> : !p
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
    %r, %end, %pe = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %start, %p = %p0) -> (!acc, !pipe.cursor, !p) : i64 {
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %p, %slot, %acc : !p, !slot, !acc -> !flying
      // expected-error @+1 {{gives the operand in registers of a product in flight its next value; expected the wait for the product first}}
      %pn = arith.truncf %acc : !acc to !p
      %even = arith.cmpi eq, %i, %c1 : i64
      scf.if %even {
        %done = pipe.mma_wait %s pending 0 : !flying -> !acc
      } else {
        pipe.mma_drain pending 0
      }
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %acc, %next, %pn : !acc, !pipe.cursor, !p
    }
  }
  tile.return
}

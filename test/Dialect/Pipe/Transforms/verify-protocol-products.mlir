// RUN: tile-opt %s -pipe-verify-protocol='model=true' -split-input-file -verify-diagnostics

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!acc = tensor<64x64xf32, #acc>
!flying = !pipe.inflight<tensor<64x64xf32, #acc>>

tile.kernel @unfinished(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
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
    %r, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %start) -> (!acc, !pipe.cursor) : i64 {
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %slot, %slot, %acc {transpose_b} : !slot, !slot, !acc -> !flying
      // expected-error @+1 {{the product is still in flight after this wait: 1 groups may be unfinished, 0 were issued after it}}
      %d = pipe.mma_wait %s pending 1 : !flying -> !acc
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %d, %next : !acc, !pipe.cursor
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

tile.kernel @turn_twice(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
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
    %r, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %start) -> (!acc, !pipe.cursor) : i64 {
      pipe.turn_wait
      // expected-error @+1 {{waits for a turn that it has}}
      pipe.turn_wait
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %slot, %slot, %acc {transpose_b} : !slot, !slot, !acc -> !flying
      pipe.turn_pass
      %d = pipe.mma_wait %s pending 0 : !flying -> !acc
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %d, %next : !acc, !pipe.cursor
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

tile.kernel @meet_with_turn(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
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
    %r, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %start) -> (!acc, !pipe.cursor) : i64 {
      pipe.turn_wait
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %slot, %slot, %acc {transpose_b} : !slot, !slot, !acc -> !flying
      // expected-error @+1 {{the consumers meet while one has the turn; the others wait for it}}
      pipe.role_barrier
      pipe.turn_pass
      %d = pipe.mma_wait %s pending 0 : !flying -> !acc
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %d, %next : !acc, !pipe.cursor
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

tile.kernel @all_threads(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
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
    %r, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %start) -> (!acc, !pipe.cursor) : i64 {
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %slot, %slot, %acc {transpose_b} : !slot, !slot, !acc -> !flying
      %d = pipe.mma_wait %s pending 0 : !flying -> !acc
      // expected-error @+1 {{a barrier of all threads stands in a role; the other role never reaches it}}
      sm.barrier
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %d, %next : !acc, !pipe.cursor
    }
  }
  tile.return
}

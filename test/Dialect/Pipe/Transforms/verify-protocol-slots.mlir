// RUN: tile-opt %s -pipe-verify-protocol='model=true' -split-input-file -verify-diagnostics

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!acc = tensor<64x64xf32, #acc>
!flying = !pipe.inflight<tensor<64x64xf32, #acc>>

tile.kernel @good(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
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

tile.kernel @bytes(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
  %trips = tile.dim "most"
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ring = pipe.channel : !ring
  %start = pipe.cursor
  pipe.specialize producer {
    %end = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      pipe.acquire %ring[%at] bytes 4096 : !ring
      pipe.load %w, %ring[%at] map 0 : !tile.window<64x64xbf16> to !ring
      // expected-error @+1 {{channel 'x': announces 4096 bytes, its loads bring 8192}}
      pipe.commit %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %next : !pipe.cursor
    }
  } consumer {
    %r, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %at = %start) -> (!acc, !pipe.cursor) : i64 {
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %slot, %slot, %acc {transpose_b} : !slot, !slot, !acc -> !flying
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

tile.kernel @no_release(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
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
      // expected-error @+1 {{channel 'x': holds a number of slots that changes from trip to trip, from here, expected at most 2, which the ring has}}
      %slot = pipe.wait %ring[%at] : !ring -> !slot
      %s = pipe.mma %slot, %slot, %acc {transpose_b} : !slot, !slot, !acc -> !flying
      %d = pipe.mma_wait %s pending 0 : !flying -> !acc
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

tile.kernel @released_in_flight(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
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
      // expected-error @+1 {{channel 'x': is released while a product in flight reads it; expected a wait that covers the product first}}
      pipe.release %ring[%at] : !ring
      %d = pipe.mma_wait %s pending 0 : !flying -> !acc
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

tile.kernel @read_after_release(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
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
      pipe.release %ring[%at] : !ring
      // expected-error @+1 {{channel 'x': reads a slot that was released}}
      %s = pipe.mma %slot, %slot, %acc {transpose_b} : !slot, !slot, !acc -> !flying
      %d = pipe.mma_wait %s pending 0 : !flying -> !acc
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

tile.kernel @threads_read(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
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
      // expected-error @+1 {{channel 'x': threads read the slot, but one arrival speaks for a whole warpgroup; expected 'thread_readers' on the channel}}
      %f = tile.load %slot : !slot to tensor<64x64xbf16, #acc>
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

tile.kernel @more_trips(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
  %trips = tile.dim "most"
  %more = arith.addi %trips, %c1 : i64
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  // expected-error @+1 {{channel 'x': the producer and the consumers use different numbers of slots}}
  %ring = pipe.channel : !ring
  %start = pipe.cursor
  pipe.specialize producer {
    %end = scf.for %i = %c0 to %more step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
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
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      scf.yield %d, %next : !acc, !pipe.cursor
    }
  }
  tile.return
}

// -----

#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>

// The next work item would start at a slot that this one has used.
tile.kernel @handed_over_too_early(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %items = tile.dim "most"
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ring = pipe.channel : !ring
  %start = pipe.cursor {number = 0 : i64}
  pipe.specialize producer {
    %end = scf.for %i = %c0 to %items step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      pipe.acquire %ring[%at] bytes 8192 : !ring
      pipe.load %w, %ring[%at] map 0 : !tile.window<64x64xbf16> to !ring
      pipe.commit %ring[%at] : !ring
      // expected-error @+1 {{channel 'x': hands over; the cursor is 1 slot behind the next one; a cursor advances once per use}}
      %next = pipe.hand_over %at for %ring number 0 : !ring
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %i = %c0 to %items step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      %s = pipe.wait %ring[%at] : !ring -> !slot
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      %start_of_next = pipe.hand_over %next for %ring number 0 : !ring
      scf.yield %start_of_next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// -----

#launch = {dims = ["most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>

// The next work item would start where this one did.
tile.kernel @started_again(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %items = tile.dim "most"
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ring = pipe.channel : !ring
  %start = pipe.cursor {number = 0 : i64}
  pipe.specialize producer {
    // expected-error @+1 {{expected each work item to go on where 'pipe.hand_over' of the one before says}}
    %end = scf.for %i = %c0 to %items step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      pipe.acquire %ring[%at] bytes 8192 : !ring
      pipe.load %w, %ring[%at] map 0 : !tile.window<64x64xbf16> to !ring
      pipe.commit %ring[%at] : !ring
      %behind = pipe.advance %ring[%at] : !ring
      %next = pipe.hand_over %behind for %ring number 0 : !ring
      scf.yield %at : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %i = %c0 to %items step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      %s = pipe.wait %ring[%at] : !ring -> !slot
      pipe.release %ring[%at] : !ring
      %next = pipe.advance %ring[%at] : !ring
      %start_of_next = pipe.hand_over %next for %ring number 0 : !ring
      scf.yield %start_of_next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// -----

#launch = {dims = ["most"], maps = [{box = [32, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>

// Two loads fill a slot, in any order.
tile.kernel @parts(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %ring = pipe.channel : !ring
  %c = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %ring[%c] bytes 8192 : !ring
    pipe.load %w, %ring[%c] at [32, 0] map 0 : !tile.window<32x64xbf16> to !ring
    pipe.load %w, %ring[%c] at [0, 0] map 0 : !tile.window<32x64xbf16> to !ring
    pipe.commit %ring[%c] : !ring
  } consumer {
    %slot = pipe.wait %ring[%c] : !ring -> !slot
    pipe.release %ring[%c] : !ring
  }
  tile.return
}

// -----

#launch = {dims = ["most"], maps = [{box = [32, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>

tile.kernel @part_missing(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %ring = pipe.channel : !ring
  %c = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %ring[%c] bytes 4096 : !ring
    pipe.load %w, %ring[%c] at [32, 0] map 0 : !tile.window<32x64xbf16> to !ring
    // expected-error @below {{channel 'x': its loads fill 2048 of the slot's 4096 elements}}
    pipe.commit %ring[%c] : !ring
  } consumer {
    %slot = pipe.wait %ring[%c] : !ring -> !slot
    pipe.release %ring[%c] : !ring
  }
  tile.return
}

// -----

#launch = {dims = ["most"], maps = [{box = [32, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["most", "64"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>

tile.kernel @part_twice(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %ring = pipe.channel : !ring
  %c = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %ring[%c] bytes 8192 : !ring
    pipe.load %w, %ring[%c] at [0, 0] map 0 : !tile.window<32x64xbf16> to !ring
    // expected-error @below {{channel 'x': loads rows 8 to 31 of a slot a second time}}
    pipe.load %w, %ring[%c] at [8, 0] map 0 : !tile.window<32x64xbf16> to !ring
    pipe.commit %ring[%c] : !ring
  } consumer {
    %slot = pipe.wait %ring[%c] : !ring -> !slot
    pipe.release %ring[%c] : !ring
  }
  tile.return
}

// RUN: tile-opt %s -pipe-verify-protocol='model=true' -split-input-file -verify-diagnostics

// Work items whose numbers the producer draws and posts.

#launch = {dims = ["n", "most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "counts", kind = "tensor", access = "in", dtype = "i64", extents = ["most"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

// The consumers know the trips of their next item from the one before, the producer from its own load.
tile.kernel @counts_loaded_ahead(%x: !tile.global<?x64xbf16>, %counts: !tile.global<?xi64>)
    attributes {tile.launch = #launch, tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ring = pipe.channel : !ring
  %start = pipe.cursor {number = 0 : i64}
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start_number = pipe.cursor {number = 1 : i64}
  pipe.specialize producer {
    %ends:2 = scf.for %item = %first to %items step %step iter_args(%at = %start, %n = %start_number) -> (!pipe.cursor, !pipe.cursor) : i64 {
      %trips = tile.load_scalar %counts[%item] {pipe.same_in_roles = 0 : i64} : !tile.global<?xi64> to i64
      %drawn = pipe.draw_item
      %end = scf.for %i = %c0 to %trips step %c1 iter_args(%c = %at) -> (!pipe.cursor) : i64 {
        pipe.acquire %ring[%c] bytes 8192 : !ring
        pipe.load %w, %ring[%c] map 0 : !tile.window<64x64xbf16> to !ring
        pipe.commit %ring[%c] : !ring
        %behind = pipe.advance %ring[%c] : !ring
        scf.yield %behind : !pipe.cursor
      }
      %next = pipe.hand_over %end for %ring number 0 : !ring
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind_number = pipe.advance %numbers[%n] : !numbers
      %next_number = pipe.hand_over %behind_number for %numbers number 1 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next, %next_number : !pipe.cursor, !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %trips_first = tile.load_scalar %counts[%first] {pipe.same_in_roles = 0 : i64} : !tile.global<?xi64> to i64
    %ends:3 = scf.for %item = %first to %items step %step iter_args(%at = %start, %n = %start_number, %trips = %trips_first) -> (!pipe.cursor, !pipe.cursor, i64) : i64 {
      %end = scf.for %i = %c0 to %trips step %c1 iter_args(%c = %at) -> (!pipe.cursor) : i64 {
        %s = pipe.wait %ring[%c] : !ring -> !slot
        pipe.release %ring[%c] : !ring
        %behind = pipe.advance %ring[%c] : !ring
        scf.yield %behind : !pipe.cursor
      }
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      pipe.release %numbers[%n] : !numbers
      %trips_next = tile.load_scalar %counts[%read] {pipe.same_in_roles = 0 : i64} : !tile.global<?xi64> to i64
      %next = pipe.hand_over %end for %ring number 0 : !ring
      %behind_number = pipe.advance %numbers[%n] : !numbers
      %next_number = pipe.hand_over %behind_number for %numbers number 1 : !numbers
      pipe.go_to_item %read
      scf.yield %next, %next_number, %trips_next : !pipe.cursor, !pipe.cursor, i64
    } {tile.tile_loop}
  }
  tile.return
}

// -----

#launch = {dims = ["n", "most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "counts", kind = "tensor", access = "in", dtype = "i64", extents = ["most"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

// What is loaded ahead is not what the producer counts by.
tile.kernel @trips_of_another_count(%x: !tile.global<?x64xbf16>, %counts: !tile.global<?xi64>)
    attributes {tile.launch = #launch, tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  // expected-error @+1 {{channel 'x': the producer and the consumers use different numbers of slots}}
  %ring = pipe.channel : !ring
  %start = pipe.cursor {number = 0 : i64}
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start_number = pipe.cursor {number = 1 : i64}
  pipe.specialize producer {
    %ends:2 = scf.for %item = %first to %items step %step iter_args(%at = %start, %n = %start_number) -> (!pipe.cursor, !pipe.cursor) : i64 {
      %trips = tile.load_scalar %counts[%item] {pipe.same_in_roles = 0 : i64} : !tile.global<?xi64> to i64
      %drawn = pipe.draw_item
      %end = scf.for %i = %c0 to %trips step %c1 iter_args(%c = %at) -> (!pipe.cursor) : i64 {
        pipe.acquire %ring[%c] bytes 8192 : !ring
        pipe.load %w, %ring[%c] map 0 : !tile.window<64x64xbf16> to !ring
        pipe.commit %ring[%c] : !ring
        %behind = pipe.advance %ring[%c] : !ring
        scf.yield %behind : !pipe.cursor
      }
      %next = pipe.hand_over %end for %ring number 0 : !ring
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind_number = pipe.advance %numbers[%n] : !numbers
      %next_number = pipe.hand_over %behind_number for %numbers number 1 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next, %next_number : !pipe.cursor, !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %trips_first = tile.load_scalar %counts[%first] {pipe.same_in_roles = 1 : i64} : !tile.global<?xi64> to i64
    %ends:3 = scf.for %item = %first to %items step %step iter_args(%at = %start, %n = %start_number, %trips = %trips_first) -> (!pipe.cursor, !pipe.cursor, i64) : i64 {
      %end = scf.for %i = %c0 to %trips step %c1 iter_args(%c = %at) -> (!pipe.cursor) : i64 {
        %s = pipe.wait %ring[%c] : !ring -> !slot
        pipe.release %ring[%c] : !ring
        %behind = pipe.advance %ring[%c] : !ring
        scf.yield %behind : !pipe.cursor
      }
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      pipe.release %numbers[%n] : !numbers
      %trips_next = tile.load_scalar %counts[%read] {pipe.same_in_roles = 0 : i64} : !tile.global<?xi64> to i64
      %next = pipe.hand_over %end for %ring number 0 : !ring
      %behind_number = pipe.advance %numbers[%n] : !numbers
      %next_number = pipe.hand_over %behind_number for %numbers number 1 : !numbers
      pipe.go_to_item %read
      scf.yield %next, %next_number, %trips_next : !pipe.cursor, !pipe.cursor, i64
    } {tile.tile_loop}
  }
  tile.return
}

// -----

#launch = {dims = ["n", "most"], maps = [{box = [64, 64], param = 0 : i64, swizzle = 128 : i64}], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "counts", kind = "tensor", access = "in", dtype = "i64", extents = ["most"], aligned}]}
!slot = !tile.shared<64x64xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!slot, 2>
!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

// The first trips are, the next ones are not what the producer counts by.
tile.kernel @next_trips_of_another_count(%x: !tile.global<?x64xbf16>, %counts: !tile.global<?xi64>)
    attributes {tile.launch = #launch, tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  // expected-error @+1 {{channel 'x': the producer and the consumers use different numbers of slots}}
  %ring = pipe.channel : !ring
  %start = pipe.cursor {number = 0 : i64}
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start_number = pipe.cursor {number = 1 : i64}
  pipe.specialize producer {
    %ends:2 = scf.for %item = %first to %items step %step iter_args(%at = %start, %n = %start_number) -> (!pipe.cursor, !pipe.cursor) : i64 {
      %trips = tile.load_scalar %counts[%item] {pipe.same_in_roles = 0 : i64} : !tile.global<?xi64> to i64
      %drawn = pipe.draw_item
      %end = scf.for %i = %c0 to %trips step %c1 iter_args(%c = %at) -> (!pipe.cursor) : i64 {
        pipe.acquire %ring[%c] bytes 8192 : !ring
        pipe.load %w, %ring[%c] map 0 : !tile.window<64x64xbf16> to !ring
        pipe.commit %ring[%c] : !ring
        %behind = pipe.advance %ring[%c] : !ring
        scf.yield %behind : !pipe.cursor
      }
      %next = pipe.hand_over %end for %ring number 0 : !ring
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind_number = pipe.advance %numbers[%n] : !numbers
      %next_number = pipe.hand_over %behind_number for %numbers number 1 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next, %next_number : !pipe.cursor, !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %trips_first = tile.load_scalar %counts[%first] {pipe.same_in_roles = 0 : i64} : !tile.global<?xi64> to i64
    %ends:3 = scf.for %item = %first to %items step %step iter_args(%at = %start, %n = %start_number, %trips = %trips_first) -> (!pipe.cursor, !pipe.cursor, i64) : i64 {
      %end = scf.for %i = %c0 to %trips step %c1 iter_args(%c = %at) -> (!pipe.cursor) : i64 {
        %s = pipe.wait %ring[%c] : !ring -> !slot
        pipe.release %ring[%c] : !ring
        %behind = pipe.advance %ring[%c] : !ring
        scf.yield %behind : !pipe.cursor
      }
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      pipe.release %numbers[%n] : !numbers
      %trips_next = tile.load_scalar %counts[%read] {pipe.same_in_roles = 1 : i64} : !tile.global<?xi64> to i64
      %next = pipe.hand_over %end for %ring number 0 : !ring
      %behind_number = pipe.advance %numbers[%n] : !numbers
      %next_number = pipe.hand_over %behind_number for %numbers number 1 : !numbers
      pipe.go_to_item %read
      scf.yield %next, %next_number, %trips_next : !pipe.cursor, !pipe.cursor, i64
    } {tile.tile_loop}
  }
  tile.return
}

// -----

!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

tile.kernel @posted_numbers() attributes {tile.launch = {dims = ["most"], params = []}, tile.num_warps = 4 : i64,
                                tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start = pipe.cursor {number = 0 : i64}
  pipe.specialize producer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %drawn = pipe.draw_item
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      pipe.release %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %read
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// -----

!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

tile.kernel @another_item() attributes {tile.launch = {dims = ["most"], params = []}, tile.num_warps = 4 : i64,
                                tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start = pipe.cursor {number = 0 : i64}
  // expected-error @+1 {{expected both roles to go on with the work item whose number the producer posts}}
  pipe.specialize producer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %drawn = pipe.draw_item
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      pipe.release %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %item
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// -----

!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

tile.kernel @not_committed() attributes {tile.launch = {dims = ["most"], params = []}, tile.num_warps = 4 : i64,
                                tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  // expected-error @+1 {{channel 'next item': not every slot acquired is committed}}
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start = pipe.cursor {number = 0 : i64}
  pipe.specialize producer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %drawn = pipe.draw_item
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      pipe.release %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %read
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// -----

!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

tile.kernel @not_posted() attributes {tile.launch = {dims = ["most"], params = []}, tile.num_warps = 4 : i64,
                                tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start = pipe.cursor {number = 0 : i64}
  // expected-error @+1 {{expected both roles to go on with the work item whose number the producer posts}}
  pipe.specialize producer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %drawn = pipe.draw_item
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      pipe.release %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %read
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// -----

!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

tile.kernel @not_released() attributes {tile.launch = {dims = ["most"], params = []}, tile.num_warps = 4 : i64,
                                tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  // expected-error @+1 {{channel 'next item': not every slot waited for is released}}
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start = pipe.cursor {number = 0 : i64}
  pipe.specialize producer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %drawn = pipe.draw_item
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      %read = tile.load_scalar %slot[%c0] : !number to i64
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %read
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// -----

!number = !tile.shared<1xi64, #tile.swizzle<0>>
!numbers = !pipe.channel<!number, 2>

tile.kernel @read_after_release() attributes {tile.launch = {dims = ["most"], params = []}, tile.num_warps = 4 : i64,
                                tile.producer_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %items = tile.dim "most"
  %first = tile.program_id
  %step = tile.num_programs
  %numbers = pipe.channel {posted, thread_readers} : !numbers
  %start = pipe.cursor {number = 0 : i64}
  pipe.specialize producer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %drawn = pipe.draw_item
      pipe.acquire %numbers[%n] bytes 0 : !numbers
      pipe.post %drawn, %numbers[%n] : !numbers
      pipe.commit %numbers[%n] : !numbers
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %drawn
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %item = %first to %items step %step iter_args(%n = %start) -> (!pipe.cursor) : i64 {
      %slot = pipe.wait %numbers[%n] : !numbers -> !number
      pipe.release %numbers[%n] : !numbers
      // expected-error @+1 {{channel 'next item': reads a slot that was released}}
      %read = tile.load_scalar %slot[%c0] : !number to i64
      %behind = pipe.advance %numbers[%n] : !numbers
      %next = pipe.hand_over %behind for %numbers number 0 : !numbers
      pipe.go_to_item %read
      scf.yield %next : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

// RUN: tile-opt %s -pipe-prefetch-indices | FileCheck %s

// The index of the next trip is read at the start of this one; one that depends on another index is not.
// CHECK-LABEL: tile.kernel @two_levels
// CHECK-SAME: %[[PAGES:[a-z0-9]+]]: !tile.global<?xi32>, %[[TABLE:[a-z0-9]+]]: !tile.global<?xi32>
// CHECK: producer {
// CHECK: %[[FIRST:.*]] = tile.load_scalar %[[PAGES]][%c0
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %{{.*}} step %[[STEP:.*]] iter_args(%{{.*}} = %{{.*}}, %[[PAGE:.*]] = %[[FIRST]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK: %[[AHEAD:.*]] = tile.load_scalar %[[PAGES]][%[[NEXT]]]
// CHECK: %[[WIDE:.*]] = arith.extsi %[[PAGE]]
// CHECK: tile.load_scalar %[[TABLE]][%[[WIDE]]]
// CHECK: scf.yield %{{.*}}, %[[AHEAD]]
// The consumers read theirs ahead as well.
// CHECK: } consumer {
// CHECK: %[[FIRST:.*]] = tile.load_scalar %[[PAGES]][%c0
// CHECK: scf.for %[[I:.*]] = {{.*}} step %[[STEP:.*]] iter_args(%{{.*}} = %{{.*}}, %[[PAGE:.*]] = %[[FIRST]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK: %[[AHEAD:.*]] = tile.load_scalar %[[PAGES]][%[[NEXT]]]
// CHECK: tile.store_scalar %[[PAGE]], %
tile.kernel @two_levels(%pages: !tile.global<?xi32>, %table: !tile.global<?xi32>, %x: !tile.global<?x64xbf16>,
                        %o: !tile.global<?xi32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %trips = tile.dim "most"
  %ring = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  %start = pipe.cursor
  pipe.specialize producer {
    %end = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      %page = tile.load_scalar %pages[%i] : !tile.global<?xi32> to i32
      %wide = arith.extsi %page : i32 to i64
      %block = tile.load_scalar %table[%wide] : !tile.global<?xi32> to i32
      %row = arith.extsi %block : i32 to i64
      %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      pipe.acquire %ring[%at] bytes 8192 : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
      pipe.load %w, %ring[%at] map 0 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
      pipe.commit %ring[%at] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
      %next = pipe.advance %ring[%at] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
      scf.yield %next : !pipe.cursor
    }
  } consumer {
    %end = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      %page = tile.load_scalar %pages[%i] : !tile.global<?xi32> to i32
      tile.store_scalar %page, %o[%i] : i32 to !tile.global<?xi32>
      %slot = pipe.wait %ring[%at] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2> -> !tile.shared<64x64xbf16, #tile.swizzle<128>>
      pipe.release %ring[%at] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
      %next = pipe.advance %ring[%at] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
      scf.yield %next : !pipe.cursor
    }
  }
  tile.return
}

// Two entries a trip: both positions follow from the counter. A quotient of it does not, as it may divide by 0
// behind the last trip.
// CHECK-LABEL: tile.kernel @two_entries
// CHECK-SAME: %[[LIST:[a-z0-9]+]]: !tile.global<?xi32>
// CHECK: %[[EVEN0:.*]] = arith.muli %c0{{.*}}, %c2
// CHECK: %[[FIRST0:.*]] = tile.load_scalar %[[LIST]][%[[EVEN0]]]
// CHECK: %[[ODD0:.*]] = arith.addi %[[EVEN0]], %c1
// CHECK: %[[SECOND0:.*]] = tile.load_scalar %[[LIST]][%[[ODD0]]]
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %{{.*}} step %[[STEP:.*]] iter_args(%{{.*}} = %{{.*}}, %[[FIRST:.*]] = %[[FIRST0]], %[[SECOND:.*]] = %[[SECOND0]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK: %[[EVEN:.*]] = arith.muli %[[NEXT]], %c2
// CHECK: %[[FIRST1:.*]] = tile.load_scalar %[[LIST]][%[[EVEN]]]
// CHECK: %[[ODD:.*]] = arith.addi %[[EVEN]], %c1
// CHECK: %[[SECOND1:.*]] = tile.load_scalar %[[LIST]][%[[ODD]]]
// CHECK: %[[QUOTIENT:.*]] = arith.divsi
// CHECK: tile.load_scalar %[[LIST]][%[[QUOTIENT]]]
// CHECK: arith.extsi %[[FIRST]]
// CHECK: arith.extsi %[[SECOND]]
// CHECK: scf.yield %{{.*}}, %[[FIRST1]], %[[SECOND1]]
tile.kernel @two_entries(%list: !tile.global<?xi32>, %x: !tile.global<?x64xbf16>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %trips = tile.dim "most"
  %ring = pipe.channel : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
  %start = pipe.cursor
  pipe.specialize producer {
    %end = scf.for %i = %c0 to %trips step %c1 iter_args(%at = %start) -> (!pipe.cursor) : i64 {
      %even = arith.muli %i, %c2 : i64
      %odd = arith.addi %even, %c1 : i64
      %first = tile.load_scalar %list[%even] : !tile.global<?xi32> to i32
      %second = tile.load_scalar %list[%odd] : !tile.global<?xi32> to i32
      %left = arith.subi %trips, %i : i64
      %quotient = arith.divsi %odd, %left : i64
      %third = tile.load_scalar %list[%quotient] : !tile.global<?xi32> to i32
      %row0 = arith.extsi %first : i32 to i64
      %row1 = arith.extsi %second : i32 to i64
      %column = arith.extsi %third : i32 to i64
      %w0 = tile.window %x[%row0, %column] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      %w1 = tile.window %x[%row1, %column] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      pipe.acquire %ring[%at] bytes 16384 : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
      pipe.load %w0, %ring[%at] at [0, 0] map 0 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
      pipe.load %w1, %ring[%at] at [64, 0] map 0 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
      pipe.commit %ring[%at] : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
      %next = pipe.advance %ring[%at] : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
      scf.yield %next : !pipe.cursor
    }
  } consumer {
  }
  tile.return
}

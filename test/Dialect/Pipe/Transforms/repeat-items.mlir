// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -pipe-repeat-items | FileCheck %s
// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -pipe-repeat-items -tile-materialize-scratch \
// RUN:   -tile-allocate-shared -tile-insert-barriers-and-fences -pipe-verify-protocol='model=true' -o /dev/null

#launch = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// The code of one work item, then of all of them in each role.
// ONE-LABEL: tile.kernel @work_items
// ONE: %[[COUNT:.*]] = tile.dim "most"
// ONE: %[[FIRST:.*]] = tile.program_id
// ONE: %[[STEP:.*]] = tile.num_programs
// ONE: pipe.work_item from %[[FIRST]] to %[[COUNT]] step %[[STEP]]
// ONE: pipe.cursor {number = 0 : i64}
// ONE: pipe.specialize producer {
// ONE-NEXT: %[[END:.*]] = scf.for
// ONE: pipe.hand_over %[[END]] for %{{.*}} number 0
// ONE: } consumer {
// ONE: pipe.wait
// ONE: tile.store
// ONE: pipe.hand_over %{{.*}} for %{{.*}} number 0

// The number of the next item is asked for first and told to the consumers last.
// CHECK-LABEL: tile.kernel @work_items
// CHECK-NOT: pipe.work_item
// CHECK: %[[FIRST:.*]] = tile.program_id
// CHECK: %[[STEP:.*]] = tile.num_programs
// CHECK: %[[START:.*]] = pipe.cursor {number = 0 : i64}
// CHECK: %[[NUMBERS:.*]] = pipe.channel {posted, thread_readers} : <!tile.shared<1xi64, #tile.swizzle<0>>, 2>
// CHECK: %[[FIRST_NUMBER:.*]] = pipe.cursor {number = 1 : i64}
// CHECK: pipe.specialize producer {
// CHECK-NEXT: scf.for %[[ITEM:.*]] = %[[FIRST]] to %[[COUNT:.*]] step %[[STEP]] iter_args(%[[AT:.*]] = %[[START]], %[[NUMBER:.*]] = %[[FIRST_NUMBER]])
// CHECK-NEXT: %[[DRAWN:.*]] = pipe.draw_item
// CHECK-NEXT: %[[END:.*]] = scf.for {{.*}} iter_args({{.*}} = %[[AT]])
// CHECK: arith.addi %[[ITEM]],
// CHECK: %[[NEXT:.*]] = pipe.hand_over %[[END]]
// CHECK-NEXT: pipe.acquire %[[NUMBERS]][%[[NUMBER]]] bytes 0
// CHECK-NEXT: pipe.post %[[DRAWN]], %[[NUMBERS]][%[[NUMBER]]]
// CHECK-NEXT: pipe.commit %[[NUMBERS]][%[[NUMBER]]]
// CHECK-NEXT: %[[BEHIND:.*]] = pipe.advance %[[NUMBERS]][%[[NUMBER]]]
// CHECK-NEXT: %[[NEXT_NUMBER:.*]] = pipe.hand_over %[[BEHIND]] for %[[NUMBERS]] number 1
// CHECK-NEXT: pipe.go_to_item %[[DRAWN]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[NEXT_NUMBER]]
// CHECK-NEXT: } {tile.tile_loop}
// CHECK-NEXT: } consumer {
// CHECK-NEXT: scf.for %{{.*}} = %[[FIRST]] to %[[COUNT]] step %[[STEP]] iter_args(%{{.*}} = %[[START]], %[[NUMBER:.*]] = %[[FIRST_NUMBER]])
// CHECK: tile.gemm
// CHECK: } {tile.pipeline
// CHECK-NEXT: %[[SLOT:.*]] = pipe.wait %[[NUMBERS]][%[[NUMBER]]]
// CHECK: %[[READ:.*]] = tile.load_scalar %[[SLOT]]
// CHECK-NEXT: pipe.release %[[NUMBERS]][%[[NUMBER]]]
// CHECK-NEXT: tile.store
// CHECK: pipe.hand_over %{{.*}} number 0
// CHECK: pipe.hand_over %{{.*}} number 1
// CHECK-NEXT: pipe.go_to_item %[[READ]]
// CHECK: } {tile.tile_loop}
tile.kernel @work_items(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  %id = tile.program_id
  %ctas = tile.num_programs
  scf.for %item = %id to %trips step %ctas : i64 {
    %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      %place = arith.addi %item, %i : i64
      %row = arith.muli %place, %c64 : i64
      %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  } {tile.tile_loop}
  tile.return
}

#counted = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "counts", kind = "tensor", access = "in", dtype = "i64", extents = ["most"], aligned},
  {name = "places", kind = "tensor", access = "in", dtype = "i64", extents = ["most"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["n", "64"], aligned}]}

// What the start of the next item loads, the consumers load while this one ends: the products wait for neither
// the number nor what stands behind it. Behind the last item the last one's is loaded again.
// CHECK-LABEL: tile.kernel @loaded_ahead
// CHECK: %[[ITEMS:.*]] = tile.dim "most"
// CHECK: %[[FIRST:.*]] = tile.program_id
// CHECK: pipe.specialize producer {
// CHECK-NEXT: scf.for %[[ITEM:[a-z0-9]+]] =
// CHECK-NEXT: %[[PLACE:.*]] = tile.load_scalar %[[PLACES:.*]][%[[ITEM]]] {pipe.same_in_roles = 0 : i64}
// CHECK-NEXT: %[[TRIPS:.*]] = tile.load_scalar %[[COUNTS:.*]][%[[PLACE]]] {pipe.same_in_roles = 1 : i64}
// CHECK: pipe.draw_item
// CHECK-NEXT: scf.for %{{.*}} to %[[TRIPS]]
// CHECK: } consumer {
// CHECK: %[[LAST:.*]] = arith.subi %[[ITEMS]], %c1{{.*}} : i64
// CHECK-NEXT: %[[NUMBER:.*]] = arith.minsi %[[FIRST]], %[[LAST]]
// CHECK-NEXT: %[[NO_LESS:.*]] = arith.maxsi %[[NUMBER]],
// CHECK-NEXT: %[[PLACE_FIRST:.*]] = tile.load_scalar %[[PLACES]][%[[NO_LESS]]] {pipe.same_in_roles = 0 : i64}
// CHECK-NEXT: %[[TRIPS_FIRST:.*]] = tile.load_scalar %[[COUNTS]][%[[PLACE_FIRST]]] {pipe.same_in_roles = 1 : i64}
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}, %[[PLACE:.*]] = %[[PLACE_FIRST]], %[[TRIPS:.*]] = %[[TRIPS_FIRST]])
// CHECK-NEXT: arith.muli %[[PLACE]], %{{.*}} {pipe.same_in_roles = 2 : i64}
// CHECK: scf.for %{{.*}} to %[[TRIPS]]
// CHECK: %[[READ:.*]] = tile.load_scalar %{{.*}} !tile.shared
// CHECK-NEXT: pipe.release
// CHECK: arith.minsi %[[READ]],
// CHECK: %[[PLACE_NEXT:.*]] = tile.load_scalar %[[PLACES]]
// CHECK-NEXT: %[[TRIPS_NEXT:.*]] = tile.load_scalar %[[COUNTS]][%[[PLACE_NEXT]]]
// CHECK-NEXT: tile.store
// CHECK: pipe.go_to_item %[[READ]]
// CHECK-NEXT: scf.yield %{{.*}}, %{{.*}}, %[[PLACE_NEXT]], %[[TRIPS_NEXT]]
tile.kernel @loaded_ahead(%x: !tile.global<?x64xbf16>, %counts: !tile.global<?xi64>, %places: !tile.global<?xi64>,
                          %o: !tile.global<?x64xf32>) attributes {tile.launch = #counted} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %items = tile.dim "most"
  %id = tile.program_id
  %ctas = tile.num_programs
  scf.for %item = %id to %items step %ctas : i64 {
    %place = tile.load_scalar %places[%item] : !tile.global<?xi64> to i64
    %trips = tile.load_scalar %counts[%place] : !tile.global<?xi64> to i64
    %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      %row = arith.muli %i, %c64 : i64
      %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    %first = arith.muli %place, %c64 : i64
    %ow = tile.window %o[%first, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  } {tile.tile_loop}
  tile.return
}

#listed = {dims = ["n", "most"], params = [
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// All threads of the producer copy rows, and one of them draws: this kernel keeps its turns.
// CHECK-LABEL: tile.kernel @gathered
// CHECK-NOT: pipe.draw_item
// CHECK-NOT: pipe.go_to_item
// CHECK: pipe.gather
// CHECK-NOT: pipe.go_to_item
// CHECK: tile.return
tile.kernel @gathered(%k: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #listed} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %id = tile.program_id
  %ctas = tile.num_programs
  scf.for %item = %id to %trips step %ctas : i64 {
    %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
      %at = arith.muli %i, %c64 : i64
      %iw = tile.window %list[%at] dims = [0] : !tile.global<?xi32> to !tile.window<64xi32>
      %index = tile.load %iw pad -1 : i32 : !tile.window<64xi32> to tensor<64xi32>
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      %w = tile.window %k[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      tile.gather_copy %w[%index], %s axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.pipeline = #tile.pipeline<stages = 4>}
    %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
    tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  } {tile.tile_loop}
  tile.return
}

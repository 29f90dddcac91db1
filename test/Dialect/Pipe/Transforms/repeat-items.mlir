// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -pipe-repeat-items -pipe-verify-protocol='model=true' \
// RUN:   | FileCheck %s

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

// CHECK-LABEL: tile.kernel @work_items
// CHECK-NOT: pipe.work_item
// CHECK: %[[FIRST:.*]] = tile.program_id
// CHECK: %[[STEP:.*]] = tile.num_programs
// CHECK: %[[START:.*]] = pipe.cursor
// CHECK: pipe.specialize producer {
// CHECK-NEXT: scf.for %[[ITEM:.*]] = %[[FIRST]] to %[[COUNT:.*]] step %[[STEP]] iter_args(%[[AT:.*]] = %[[START]])
// CHECK-NEXT: %[[END:.*]] = scf.for {{.*}} iter_args({{.*}} = %[[AT]])
// CHECK: arith.addi %[[ITEM]],
// CHECK: %[[NEXT:.*]] = pipe.hand_over %[[END]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK-NEXT: } {tile.tile_loop}
// CHECK-NEXT: } consumer {
// CHECK-NEXT: scf.for %{{.*}} = %[[FIRST]] to %[[COUNT]] step %[[STEP]] iter_args(%{{.*}} = %[[START]])
// CHECK: tile.store
// CHECK: pipe.hand_over
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

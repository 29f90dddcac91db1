// RUN: tile-opt %s --sm-to-llvm --print-ptx -o /dev/null | FileCheck %s

// Work items are drawn from one of the module's counters, which the driver finds by their name and loads as zeros.
// CHECK: .visible .global .align 4 .b8 tile_item_counters[16384];
// CHECK-LABEL: .entry draw(
func.func @draw(%out: i64, %n: i64, %counter: i64)
    attributes {tile.num_warps = 1 : i64, tile.launch = {dims = ["n"], counter}} {
  %last = arith.trunci %n : i64 to i32
  // CHECK: atom.relaxed.gpu.global.inc.u32 %r{{.*}}, [%rd{{.*}}], %r{{.*}};
  %number = sm.atomic_global inc relaxed gpu %last, %counter : i32 -> i32
  sm.store_global %number, %out : i32
  return
}

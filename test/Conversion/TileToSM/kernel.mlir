// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

// A tensor is address, extents, strides of all axes but the last; dims come after all parameters.
// CHECK-LABEL: func.func @flat_arguments(
// CHECK-SAME: %[[X:.*]]: i64, %[[X0:.*]]: i64, %[[X1:.*]]: i64, %[[XS:.*]]: i64, %[[A:.*]]: f32,
// CHECK-SAME: %[[Y:.*]]: i64, %[[Y0:.*]]: i64, %[[ROWS:.*]]: i64, %[[COLS:.*]]: i64)
// CHECK-SAME: tile.launch = {dims = ["rows", "cols"]
// CHECK-SAME: tile.num_warps = 4 : i64
// CHECK-SAME: tile.shared_bytes = 0 : i64
// CHECK: %[[CTA:.*]] = sm.cta_id
// CHECK: %[[PID:.*]] = arith.extui %[[CTA]] : i32 to i64
// CHECK: %[[ROW:.*]] = arith.remui %[[PID]], %[[ROWS]]
// CHECK-DAG: arith.cmpi ult, %[[ROW]], %[[X0]]
// CHECK-DAG: arith.cmpi ult, %[[COLS]], %[[X1]]
// CHECK-DAG: arith.muli %[[ROW]], %[[XS]]
// CHECK: return
tile.kernel @flat_arguments(%x: !tile.global<?x?xf32>, %a: f32, %y: !tile.global<?xf32>)
    attributes {tile.launch = {dims = ["rows", "cols"]}, tile.num_warps = 4 : i64, tile.shared_bytes = 0 : i64} {
  %pid = tile.program_id
  %rows = tile.dim "rows"
  %cols = tile.dim "cols"
  %row = arith.remui %pid, %rows : i64
  %v = tile.load_scalar %x[%row, %cols] : !tile.global<?x?xf32> to f32
  tile.store_scalar %v, %y[%row] : f32 to !tile.global<?xf32>
  tile.return
}

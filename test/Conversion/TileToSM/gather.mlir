// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-sm -canonicalize -cse -split-input-file | FileCheck %s

#launch = {dims = ["rows", "count"], params = [
  {name = "x", kind = "tensor", dtype = "bf16", extents = ["rows", "64"], aligned},
  {name = "index", kind = "tensor", dtype = "i32", extents = ["32"]}]}

// Whole chunks of 16 bytes: a row that is not there copies 0 bytes and is filled. One comparison covers
// negative indices and those past the end. Nothing goes element by element, nothing branches.
// CHECK-LABEL: func.func @rows_to_shared(
// CHECK-SAME: %{{[a-z0-9]+}}: i64, %[[ROWS:[a-z0-9]+]]: i64, %{{[a-z0-9]+}}: i64, %[[STRIDE:[a-z0-9]+]]: i64,
// CHECK: %[[BYTES:[a-z0-9]+]] = arith.shli %[[STRIDE]], %c1_i64
// CHECK: %[[WIDE:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[THERE:.*]] = arith.cmpi ult, %[[WIDE]], %[[ROWS]] : i64
// CHECK-NOT: scf.if
// CHECK: %[[ROW:.*]] = arith.muli %[[WIDE]], %[[BYTES]]
// CHECK: %[[SOURCE:.*]] = arith.addi %{{.*}}, %[[ROW]]
// CHECK: %[[SIZE:.*]] = arith.select %[[THERE]], %c16_i32, %c0_i32
// CHECK: sm.cp_async %{{.*}}, %[[SOURCE]], %[[SIZE]] {bytes = 16 : i64}
// CHECK: sm.cp_async %
// CHECK-NOT: sm.cp_async %
// CHECK-NOT: sm.store_shared
// CHECK: sm.cp_async_commit
tile.kernel @rows_to_shared(%x: !tile.global<?x64xbf16>, %ids: !tile.global<32xi32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %wi = tile.window %ids[%c0] dims = [0] : !tile.global<32xi32> to !tile.window<32xi32>
  %index = tile.load %wi : !tile.window<32xi32> to tensor<32xi32>
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %s = tile.alloc_shared at 0 : !tile.shared<32x64xbf16>
  tile.gather_copy %w[%index], %s axis = 0 : !tile.window<32x64xbf16>, tensor<32xi32> to !tile.shared<32x64xbf16>
  tile.return
}

// -----

#launch = {dims = ["rows", "count"], params = [
  {name = "x", kind = "tensor", dtype = "bf16", extents = ["rows", "64"], aligned},
  {name = "y", kind = "tensor", dtype = "bf16", extents = ["rows", "64"], aligned},
  {name = "index", kind = "tensor", dtype = "i64", extents = ["32"]}]}

// In registers: vectors of 16 bytes under the row's test; writes alike.
// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-2: arith.cmpi ult
// CHECK: scf.if
// CHECK: sm.load_global %{{.*}} : vector<8xbf16>
// CHECK-NOT: sm.load_global %{{.*}} : vector<1xbf16>
// CHECK: scf.if
// CHECK: sm.store_global %{{.*}}, %{{.*}} : vector<8xbf16>
// CHECK-NOT: sm.store_global %{{.*}} : vector<1xbf16>
tile.kernel @rows(%x: !tile.global<?x64xbf16>, %y: !tile.global<?x64xbf16>, %ids: !tile.global<32xi64>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %wi = tile.window %ids[%c0] dims = [0] : !tile.global<32xi64> to !tile.window<32xi64>
  %index = tile.load %wi : !tile.window<32xi64> to tensor<32xi64>
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %v = tile.window %y[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %a = tile.gather %w[%index] axis = 0 : !tile.window<32x64xbf16>, tensor<32xi64> to tensor<32x64xbf16>
  tile.scatter %a, %v[%index] axis = 0 : tensor<32x64xbf16>, tensor<32xi64> to !tile.window<32x64xbf16>
  tile.return
}

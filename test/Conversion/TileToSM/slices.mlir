// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-sm -canonicalize -cse -split-input-file | FileCheck %s

#launch = {dims = ["rows"], params = [
  {name = "x", kind = "tensor", dtype = "bf16", extents = ["rows", "64"], aligned},
  {name = "index", kind = "tensor", dtype = "i32", extents = ["16"]},
  {name = "row", kind = "scalar", dtype = "i64"}, {name = "column", kind = "scalar", dtype = "i64"}]}

// An index counts from the part's start and ends with its 24 rows, not with the 64 of the whole tile. Its
// columns start at a multiple of 8, so rows go in vectors, and straight from global memory.
// CHECK-LABEL: func.func @aligned(
// CHECK-DAG: %[[C24:.*]] = arith.constant 24 : i64
// CHECK-DAG: %[[START:.*]] = arith.trunci %arg6 : i64 to i32
// CHECK: arith.cmpi ult, %{{.*}}, %[[C24]] : i64
// CHECK: arith.addi %[[START]], %
// CHECK: sm.load_shared %{{.*}} : vector<8xbf16>
// CHECK-NOT: sm.load_shared %{{.*}} : vector<1xbf16>
// CHECK: sm.store_shared %{{.*}}, %{{.*}} : vector<8xbf16>
// CHECK: sm.cp_async %{{.*}} {bytes = 16 : i64}
// CHECK-NOT: sm.store_shared
tile.kernel @aligned(%x: !tile.global<?x64xbf16>, %ids: !tile.global<16xi32>, %row: i64, %column: i64) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %wi = tile.window %ids[%c0] dims = [0] : !tile.global<16xi32> to !tile.window<16xi32>
  %index = tile.load %wi : !tile.window<16xi32> to tensor<16xi32>
  %s = tile.alloc_shared at 0 : !tile.shared<64x64xbf16>
  %start = arith.muli %column, %c8 : i64
  %part = tile.slice %s[%row, %start] : !tile.shared<64x64xbf16> to !tile.shared<24x32xbf16>
  %rows = tile.gather %part[%index] axis = 0 : !tile.shared<24x32xbf16>, tensor<16xi32> to tensor<16x32xbf16>
  tile.scatter %rows, %part[%index] axis = 0 : tensor<16x32xbf16>, tensor<16xi32> to !tile.shared<24x32xbf16>
  %inner = tile.slice %part[%c0, %c0] : !tile.shared<24x32xbf16> to !tile.shared<16x32xbf16>
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<16x32xbf16>
  tile.gather_copy %w[%index], %inner axis = 0 : !tile.window<16x32xbf16>, tensor<16xi32> to !tile.shared<16x32xbf16>
  tile.return
}

// -----

#launch = {dims = ["rows"], params = [
  {name = "x", kind = "tensor", dtype = "bf16", extents = ["rows", "64"], aligned},
  {name = "index", kind = "tensor", dtype = "i32", extents = ["16"]},
  {name = "row", kind = "scalar", dtype = "i64"}, {name = "column", kind = "scalar", dtype = "i64"}]}

// Columns from anywhere on: element by element on the side of shared memory, in vectors on the other.
// CHECK-LABEL: func.func @odd(
// CHECK-NOT: sm.load_shared %{{.*}} : vector<{{[2-9]}}xbf16>
// CHECK: sm.load_shared %{{.*}} : vector<1xbf16>
// CHECK-NOT: sm.cp_async %
// CHECK: sm.load_global %{{.*}} : vector<8xbf16>
// CHECK-COUNT-8: sm.store_shared %{{.*}}, %{{.*}} : vector<1xbf16>
tile.kernel @odd(%x: !tile.global<?x64xbf16>, %ids: !tile.global<16xi32>, %row: i64, %column: i64) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %wi = tile.window %ids[%c0] dims = [0] : !tile.global<16xi32> to !tile.window<16xi32>
  %index = tile.load %wi : !tile.window<16xi32> to tensor<16xi32>
  %s = tile.alloc_shared at 0 : !tile.shared<64x64xbf16>
  %part = tile.slice %s[%row, %column] : !tile.shared<64x64xbf16> to !tile.shared<16x32xbf16>
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<16x32xbf16>
  %rows = tile.gather %part[%index] axis = 0 : !tile.shared<16x32xbf16>, tensor<16xi32> to tensor<16x32xbf16>
  tile.store %rows, %w : tensor<16x32xbf16> to !tile.window<16x32xbf16>
  tile.gather_copy %w[%index], %part axis = 0 : !tile.window<16x32xbf16>, tensor<16xi32> to !tile.shared<16x32xbf16>
  tile.return
}

// -----

// Element (2, 3) of a part is element (row + 2, column + 3) of the tile.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: i64, %[[COLUMN:[a-z0-9]+]]: i64)
// CHECK-DAG: %[[R:.*]] = arith.trunci %[[ROW]] : i64 to i32
// CHECK-DAG: %[[C:.*]] = arith.trunci %[[COLUMN]] : i64 to i32
// CHECK: sm.load_shared %{{.*}} : i32
// CHECK: sm.store_shared %{{.*}}, %{{.*}} : i32
// CHECK: sm.atomic_shared add
tile.kernel @elements(%row: i64, %column: i64) attributes {tile.launch = {dims = [], params = [
    {name = "row", kind = "scalar", dtype = "i64"}, {name = "column", kind = "scalar", dtype = "i64"}]}} {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %one = arith.constant 1 : i32
  %s = tile.alloc_shared at 0 : !tile.shared<64x64xi32>
  %part = tile.slice %s[%row, %column] : !tile.shared<64x64xi32> to !tile.shared<16x32xi32>
  %v = tile.load_scalar %part[%c2, %c3] : !tile.shared<16x32xi32> to i32
  tile.store_scalar %v, %part[%c3, %c2] : i32 to !tile.shared<16x32xi32>
  tile.atomic_scalar add %one, %part[%c2, %c3] : i32 to !tile.shared<16x32xi32>
  tile.return
}

// -----

#launch = {dims = ["rows"], params = [
  {name = "x", kind = "tensor", dtype = "bf16", extents = ["rows", "64"], aligned}]}

// One of two matrices of a tile: 64 rows of 128 bytes behind the first one, whole periods of the swizzle, so
// the address of each access moves and its pattern does not.
// CHECK-LABEL: func.func @second_matrix(
// CHECK: sm.cp_async
// CHECK: %[[MOVED:.*]] = arith.addi %{{.*}}, %c8192_i32
// CHECK: sm.load_shared
tile.kernel @second_matrix(%x: !tile.global<?x64xbf16>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<2x64x64xbf16>
  %first = tile.slice %s[%c0, %c0, %c0] : !tile.shared<2x64x64xbf16> to !tile.shared<64x64xbf16>
  %second = tile.slice %s[%c1, %c0, %c0] : !tile.shared<2x64x64xbf16> to !tile.shared<64x64xbf16>
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %w, %first : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %f = tile.load %second : !tile.shared<64x64xbf16> to tensor<64x64xbf16>
  tile.store %f, %w : tensor<64x64xbf16> to !tile.window<64x64xbf16>
  tile.return
}

// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -canonicalize | FileCheck %s

// Windows that TMA does not reach, and threads do: rows by rows, those at 0, 1, 2, ...

#launch = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"]},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// CHECK-LABEL: tile.kernel @limit_before_the_end
// CHECK: pipe.channel {copiers = 128 : i64}
// CHECK: %[[ROWS:.*]] = tile.iota : tensor
// CHECK: pipe.gather %{{.*}}[%[[ROWS]]], %{{.*}} axis = 0
// CHECK: consumer
// CHECK-NOT: tile.gather_copy
// CHECK: tile.return
tile.kernel @limit_before_the_end(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] upto [%trips, %c64] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 4>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @six_dimensions
// CHECK: pipe.channel {copiers = 128 : i64}
// CHECK: %[[ROWS:.*]] = tile.iota : tensor
// CHECK: pipe.gather %{{.*}}[%[[ROWS]]], %{{.*}} axis = 0
// CHECK: consumer
// CHECK-NOT: tile.gather_copy
// CHECK: tile.return
tile.kernel @six_dimensions(%x: !tile.global<1x1x1x1x?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%c0, %c0, %c0, %c0, %row, %c0] dims = [4, 5] : !tile.global<1x1x1x1x?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 4>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @long_box
// CHECK: pipe.channel {copiers = 128 : i64, thread_readers}
// CHECK: %[[ROWS:.*]] = tile.iota : tensor
// CHECK: pipe.gather %{{.*}}[%[[ROWS]]], %{{.*}} axis = 0
// CHECK: consumer
// CHECK-NOT: tile.gather_copy
// CHECK: tile.return
tile.kernel @long_box(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o2: !tile.global<512x64xbf16>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  scf.for %i = %c0 to %trips step %c1 : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<512x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<512x64xbf16>
    tile.copy %w, %s : !tile.window<512x64xbf16> to !tile.shared<512x64xbf16>
    %t = tile.load %s : !tile.shared<512x64xbf16> to tensor<512x64xbf16>
    %out = tile.window %o2[%c0, %c0] dims = [0, 1] : !tile.global<512x64xbf16> to !tile.window<512x64xbf16>
    tile.store %t, %out : tensor<512x64xbf16> to !tile.window<512x64xbf16>
  } {tile.pipeline = #tile.pipeline<stages = 4>}
  tile.return
}

// RUN: tile-opt %s -split-input-file -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 4]], warps = []>

// 4 columns of each 8 in a lane become 8 columns of the 32: two bits of the lane number change
// places with two bits of the register number.
// CHECK-LABEL: func.func @four
// CHECK-NOT: scf.if
// CHECK-COUNT-8: vector.bitcast %{{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK: %[[B0:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32
// CHECK: %[[B1:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32
// CHECK: %[[SENT:.*]] = arith.select %[[B0]], %[[W0:.*]], %[[W1:.*]] : i32
// CHECK: %[[GOT:.*]] = sm.shuffle xor %[[SENT]], %c1_i32 : i32
// CHECK: arith.select %[[B0]], %[[GOT]], %[[W0]] : i32
// CHECK: arith.select %[[B0]], %[[W1]], %[[GOT]] : i32
// CHECK: sm.shuffle xor %{{.*}}, %c1_i32 : i32
// CHECK: arith.select %[[B1]]
// CHECK: sm.shuffle xor %{{.*}}, %c2_i32 : i32
// CHECK: sm.shuffle xor %{{.*}}, %c2_i32 : i32
// CHECK-COUNT-4: sm.shuffle
// CHECK-NOT: sm.shuffle
// CHECK-COUNT-2: sm.store_global %{{.*}} : vector<8xbf16>
// CHECK-NOT: sm.store_global
tile.kernel @four(%x: !tile.global<64x32xbf16>, %y: !tile.global<64x32xbf16>)
    attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 0 : i64,
                tile.launch = {params = [{name = "x", aligned}, {name = "y", aligned}]}} {
  %zero = arith.constant 0 : i64
  %v = tile.window %x[%zero, %zero] dims = [0, 1] : <64x32xbf16> to <64x32xbf16>
  %w = tile.window %y[%zero, %zero] dims = [0, 1] : <64x32xbf16> to <64x32xbf16>
  %a = tile.load %v : !tile.window<64x32xbf16> to tensor<64x32xbf16, #acc>
  tile.store %a, %w : tensor<64x32xbf16, #acc> to !tile.window<64x32xbf16>
  tile.return
}

// -----

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 6]], warps = []>

// 48 columns: pairs of words. Rows that may end are one predicate each, whole vectors.
// CHECK-LABEL: func.func @two
// CHECK-COUNT-6: sm.shuffle xor %{{.*}}, %c1_i32 : i32
// CHECK-NOT: sm.shuffle
// CHECK: scf.if
// CHECK-COUNT-6: sm.store_global %{{.*}} : vector<4xf16>
// CHECK: } else {
// CHECK:   scf.if
// CHECK-COUNT-3: sm.store_global %{{.*}} : vector<4xf16>
// CHECK:   scf.if
// CHECK-COUNT-3: sm.store_global %{{.*}} : vector<4xf16>
// CHECK-NOT: sm.store_global
tile.kernel @two(%x: !tile.global<64x48xf16>, %y: !tile.global<?x48xf16>)
    attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 0 : i64,
                tile.launch = {params = [{name = "x", aligned}, {name = "y", aligned}]}} {
  %zero = arith.constant 0 : i64
  %v = tile.window %x[%zero, %zero] dims = [0, 1] : <64x48xf16> to <64x48xf16>
  %w = tile.window %y[%zero, %zero] dims = [0, 1] : <?x48xf16> to <64x48xf16>
  %a = tile.load %v : !tile.window<64x48xf16> to tensor<64x48xf16, #acc>
  tile.store %a, %w : tensor<64x48xf16, #acc> to !tile.window<64x48xf16>
  tile.return
}

// -----

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 4]], warps = []>

// Alignment and bounds are only known at run time: long runs where both hold, the lanes' own pairs
// otherwise, single elements at the edge.
// CHECK-LABEL: func.func @unknown
// CHECK: scf.if
// CHECK: sm.shuffle
// CHECK-COUNT-2: sm.store_global %{{.*}} : vector<8xbf16>
// CHECK-NOT: vector<8xbf16>
// CHECK: } else {
// CHECK-NOT: sm.shuffle
// CHECK-COUNT-8: sm.store_global %{{.*}} : vector<2xbf16>
// CHECK-COUNT-16: sm.store_global %{{.*}} : vector<1xbf16>
// CHECK-NOT: sm.store_global
tile.kernel @unknown(%x: !tile.global<64x32xbf16>, %y: !tile.global<?x?xbf16>)
    attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 0 : i64,
                tile.launch = {params = [{name = "x", aligned}, {name = "y"}]}} {
  %zero = arith.constant 0 : i64
  %v = tile.window %x[%zero, %zero] dims = [0, 1] : <64x32xbf16> to <64x32xbf16>
  %w = tile.window %y[%zero, %zero] dims = [0, 1] : <?x?xbf16> to <64x32xbf16>
  %a = tile.load %v : !tile.window<64x32xbf16> to tensor<64x32xbf16, #acc>
  tile.store %a, %w : tensor<64x32xbf16, #acc> to !tile.window<64x32xbf16>
  tile.return
}

// -----

#odd = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 3]], warps = []>
#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = []>

// Nothing to exchange: an odd number of column groups; columns that are not contiguous in memory;
// f32, where a quad already writes whole sectors.
// CHECK-LABEL: func.func @none
// CHECK-NOT: sm.shuffle
tile.kernel @none(%x: !tile.global<64x24xbf16>, %y: !tile.global<16x64xbf16>, %z: !tile.global<64x16xf32>)
    attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 0 : i64,
                tile.launch = {params = [{name = "x", aligned}, {name = "y", aligned}, {name = "z", aligned}]}} {
  %zero = arith.constant 0 : i64
  %u = tile.window %x[%zero, %zero] dims = [0, 1] : <64x24xbf16> to <64x24xbf16>
  %v = tile.window %y[%zero, %zero] dims = [1, 0] : <16x64xbf16> to <64x16xbf16>
  %w = tile.window %z[%zero, %zero] dims = [0, 1] : <64x16xf32> to <64x16xf32>
  %a = tile.load %u : !tile.window<64x24xbf16> to tensor<64x24xbf16, #odd>
  tile.store %a, %u : tensor<64x24xbf16, #odd> to !tile.window<64x24xbf16>
  %b = tile.load %v : !tile.window<64x16xbf16> to tensor<64x16xbf16, #acc>
  tile.store %b, %v : tensor<64x16xbf16, #acc> to !tile.window<64x16xbf16>
  %c = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
  tile.store %c, %w : tensor<64x16xf32, #acc> to !tile.window<64x16xf32>
  tile.return
}

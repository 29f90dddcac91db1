// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#rows_first = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = []>
#columns_first = #tile.frag<reg = [[8, 0], [0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = []>

// CHECK-LABEL: func.func @register_permutation
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 2, 1, 3] : vector<4xf32>, vector<4xf32>
tile.kernel @register_permutation(%x: !tile.global<16x8xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<16x8xf32> to !tile.window<16x8xf32>
  %a = tile.load %w : !tile.window<16x8xf32> to tensor<16x8xf32, #rows_first>
  %b = tile.convert_layout %a : tensor<16x8xf32, #rows_first> to tensor<16x8xf32, #columns_first>
  tile.store %b, %w : tensor<16x8xf32, #columns_first> to !tile.window<16x8xf32>
  tile.return
}

#pairs = #tile.frag<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [], warps = []>
#far_pairs = #tile.frag<reg = [[4]], lane = [[1], [2], [8], [16], [32]], warp = [], repeat = [], warps = []>
#everywhere = #tile.frag<reg = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [], repeat = [], warps = []>
#by_lane = #tile.frag<reg = [], lane = [[1], [2], [0], [0], [0]], warp = [], repeat = [], warps = []>

// Pairs (2i, 2i+1) become pairs (i, i+4): of two elements that a lane reads, one or both lie elsewhere, and
// two rounds bring them: in each, all lanes read another one.
// CHECK-LABEL: func.func @quad_shuffle
// CHECK-COUNT-2: sm.shuffle idx %{{.*}} : f32
// CHECK-NOT: sm.shuffle
tile.kernel @quad_shuffle(%x: !tile.global<64xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<64xf32> to !tile.window<64xf32>
  %a = tile.load %w : !tile.window<64xf32> to tensor<64xf32, #pairs>
  %b = tile.convert_layout %a : tensor<64xf32, #pairs> to tensor<64xf32, #far_pairs>
  tile.store %b, %w : tensor<64xf32, #far_pairs> to !tile.window<64xf32>
  tile.return
}

// Every thread has all four elements and keeps the one of its lane: nothing moves.
// CHECK-LABEL: func.func @pick
// CHECK-NOT: sm.shuffle
// CHECK-COUNT-3: arith.select
tile.kernel @pick(%x: !tile.global<4xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<4xf32> to !tile.window<4xf32>
  %a = tile.load %w : !tile.window<4xf32> to tensor<4xf32, #everywhere>
  %b = tile.convert_layout %a : tensor<4xf32, #everywhere> to tensor<4xf32, #by_lane>
  tile.store %b, %w : tensor<4xf32, #by_lane> to !tile.window<4xf32>
  tile.return
}

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 4]], warps = []>
#a8 = #tile.frag<reg = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = []>

// Neighbouring bytes stay together, and two pairs make a word: each of the four words of the result comes
// out of two that lanes send, and four rounds send them all.
// CHECK-LABEL: func.func @pairs_of_bytes
// CHECK: %[[PAIRS:.*]] = vector.bitcast %{{.*}} : vector<16xf8E4M3FN> to vector<8xi16>
// CHECK: vector.extract %[[PAIRS]][{{[0-9]}}] : i16
// CHECK-COUNT-4: sm.shuffle idx %{{.*}} : i32
// CHECK-NOT: sm.shuffle
// CHECK: vector.bitcast %{{.*}} : vector<8xi16> to vector<16xf8E4M3FN>
tile.kernel @pairs_of_bytes(%x: !tile.global<16x32xf32>, %y: !tile.global<16x32xf8E4M3FN>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<16x32xf32> to !tile.window<16x32xf32>
  %v = tile.window %y[%zero, %zero] dims = [0, 1] : !tile.global<16x32xf8E4M3FN> to !tile.window<16x32xf8E4M3FN>
  %a = tile.load %w : !tile.window<16x32xf32> to tensor<16x32xf32, #acc>
  %q = tile.cast %a {saturate} : tensor<16x32xf32, #acc> to tensor<16x32xf8E4M3FN, #acc>
  %b = tile.convert_layout %q : tensor<16x32xf8E4M3FN, #acc> to tensor<16x32xf8E4M3FN, #a8>
  tile.store %b, %v : tensor<16x32xf8E4M3FN, #a8> to !tile.window<16x32xf8E4M3FN>
  tile.return
}

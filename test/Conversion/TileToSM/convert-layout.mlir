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

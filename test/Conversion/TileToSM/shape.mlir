// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 3]], warps = [[0, 2]]>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = [[0, 2]]>
#column = #tile.frag<reg = [[1]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]], repeat = [[0, 3]], warps = [[-1, 2]]>

// Rows: eight lanes apart by one, four warps by 16, two warpgroups by 64. Registers add constants.
// CHECK-LABEL: func.func @positions
// CHECK-DAG: %[[ROWS:.*]] = arith.constant dense<[0, 8]> : vector<2xi32>
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 8, 9, 16, 17]> : vector<6xi32>
// CHECK: %[[LANE:.*]] = sm.lane_id
// CHECK: %[[WARP:.*]] = sm.warp_id
// CHECK: %[[L:.*]] = arith.shrui %[[LANE]], %c2_i32
// CHECK: %[[W:.*]] = arith.andi %[[WARP]], %c3_i32
// CHECK: %[[W16:.*]] = arith.shli %[[W]], %c4_i32
// CHECK: %[[LW:.*]] = arith.addi %[[L]], %[[W16]]
// CHECK: %[[G:.*]] = arith.shrui %[[WARP]], %c2_i32
// CHECK: %[[G64:.*]] = arith.shli %[[G]], %c6_i32
// CHECK: %[[BASE:.*]] = arith.addi %[[LW]], %[[G64]]
// CHECK: %[[SPLAT:.*]] = vector.broadcast %[[BASE]] : i32 to vector<2xi32>
// CHECK: %[[ROW:.*]] = arith.addi %[[SPLAT]], %[[ROWS]]
// CHECK: %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[COLUMNS]]
// Broadcasts only name registers again.
// CHECK: vector.shuffle %[[ROW]], %[[ROW]] [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
// CHECK: vector.shuffle %[[COLUMN]], %[[COLUMN]] [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5] : vector<6xi32>, vector<6xi32>
tile.kernel @positions(%out: !tile.global<128x24xi32>, %s: i32) attributes {tile.num_warps = 8 : i64} {
  %zero = arith.constant 0 : i64
  %row = tile.iota : tensor<128xi32, #row>
  %column = tile.iota : tensor<24xi32, #column>
  %rows = tile.broadcast %row dims = [0] : tensor<128xi32, #row> to tensor<128x24xi32, #acc>
  %columns = tile.broadcast %column dims = [1] : tensor<24xi32, #column> to tensor<128x24xi32, #acc>
  %all = tile.broadcast %s dims = [] : i32 to tensor<128x24xi32, #acc>
  %a = arith.addi %rows, %columns : tensor<128x24xi32, #acc>
  %b = arith.addi %a, %all : tensor<128x24xi32, #acc>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<128x24xi32> to !tile.window<128x24xi32>
  tile.store %b, %w : tensor<128x24xi32, #acc> to !tile.window<128x24xi32>
  tile.return
}

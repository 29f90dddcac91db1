// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = []>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = []>
#blocked = #tile.frag<reg = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [], repeat = [], warps = [[0, 4]]>

// Pairs of columns in one access, no tests: all is there.
// CHECK-LABEL: func.func @inside
// CHECK-NOT: scf.if
// CHECK-COUNT-4: sm.load_global %{{.*}} : vector<2xf32>
// CHECK-COUNT-4: sm.store_global %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK: return
tile.kernel @inside(%x: !tile.global<64x16xf32>)
    attributes {tile.num_warps = 4 : i64, tile.launch = {params = [{name = "x", kind = "tensor", dtype = "f32", aligned, extents = ["64", "16"]}]}} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x16xf32> to !tile.window<64x16xf32>
  %a = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
  tile.store %a, %w : tensor<64x16xf32, #acc> to !tile.window<64x16xf32>
  tile.return
}

// At the edge one test per row that the thread holds, and the pad value.
// CHECK-LABEL: func.func @edge
// CHECK: %[[ALL:.*]] = scf.if
// CHECK-COUNT-4: sm.load_global %{{.*}} : vector<2xf32>
// CHECK: } else {
// CHECK:   %[[ROW0:.*]]:2 = scf.if %{{.*}} -> (vector<2xf32>, vector<2xf32>) {
// CHECK-COUNT-2: sm.load_global %{{.*}} : vector<2xf32>
// CHECK:   } else {
// CHECK:     scf.yield %[[PAD:cst.*]], %[[PAD]]
// CHECK:   %[[ROW8:.*]]:2 = scf.if
// CHECK: vector.from_elements
tile.kernel @edge(%x: !tile.global<?x16xf32>, %row: i64, %limit: i64)
    attributes {tile.num_warps = 4 : i64, tile.launch = {params = [{name = "x", kind = "tensor", dtype = "f32", aligned, extents = ["n", "16"]}]}} {
  %zero = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %w = tile.window %x[%row, %zero] dims = [0, 1] upto [%limit, %c16] : !tile.global<?x16xf32> to !tile.window<64x16xf32>
  %a = tile.load %w pad 0xFF800000 : f32 : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
  tile.store %a, %w : tensor<64x16xf32, #acc> to !tile.window<64x16xf32>
  tile.return
}

// A limit that need not be a multiple of the vector: elements at the edge.
// CHECK-LABEL: func.func @tail
// CHECK: scf.if
// CHECK:   sm.load_global %{{.*}} : vector<8xbf16>
// CHECK: } else {
// CHECK-COUNT-8: sm.load_global %{{.*}} : vector<1xbf16>
tile.kernel @tail(%x: !tile.global<?xbf16>, %start: i64, %limit: i64)
    attributes {tile.num_warps = 4 : i64, tile.launch = {params = [{name = "x", kind = "tensor", dtype = "bf16", aligned, extents = ["n"]}]}} {
  %c1024 = arith.constant 1024 : i64
  %first = arith.muli %start, %c1024 : i64
  %w = tile.window %x[%first] dims = [0] upto [%limit] : !tile.global<?xbf16> to !tile.window<1024xbf16>
  %a = tile.load %w : !tile.window<1024xbf16> to tensor<1024xbf16, #blocked>
  tile.store %a, %w : tensor<1024xbf16, #blocked> to !tile.window<1024xbf16>
  tile.return
}

// Four lanes hold each row: the first of them stores.
// CHECK-LABEL: func.func @copies
// CHECK: %[[LANE:.*]] = sm.lane_id
// CHECK: %[[COPY:.*]] = arith.andi %[[LANE]], %c3_i32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[COPY]], %c0_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK-COUNT-2: sm.store_global %{{.*}} : vector<1xf32>
tile.kernel @copies(%x: !tile.global<64xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<64xf32> to !tile.window<64xf32>
  %a = arith.constant dense<1.0> : tensor<64xf32, #row>
  tile.store %a, %w : tensor<64xf32, #row> to !tile.window<64xf32>
  tile.return
}

// Rows 8 apart have the same phase; columns 8 apart are chunks 1 apart, an xor with a constant.
// CHECK-LABEL: func.func @shared
// CHECK: %[[B:.*]] = arith.addi %[[A:.*]], %c1024_i32
// CHECK: %[[C:.*]] = arith.xori %[[A]], %c16_i32
// CHECK: %[[D:.*]] = arith.addi %[[C]], %c1024_i32
// CHECK: arith.xori %[[A]], %c32_i32
// CHECK: sm.store_shared %{{.*}}, %[[A]] : vector<2xbf16>
// CHECK: sm.store_shared %{{.*}}, %[[B]] : vector<2xbf16>
// CHECK: sm.store_shared %{{.*}}, %[[C]] : vector<2xbf16>
// CHECK: sm.store_shared %{{.*}}, %[[D]] : vector<2xbf16>
// CHECK-COUNT-4: sm.load_shared %{{.*}} : vector<2xbf16>
tile.kernel @shared(%x: !tile.global<64x16xbf16>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %t = tile.alloc_shared at 0 : !tile.shared<64x16xbf16, #tile.swizzle<32>>
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x16xbf16> to !tile.window<64x16xbf16>
  %a = arith.constant dense<1.0> : tensor<64x64xbf16, #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>>
  tile.store %a, %s : tensor<64x64xbf16, #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>> to !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %b = tile.load %t : !tile.shared<64x16xbf16, #tile.swizzle<32>> to tensor<64x16xbf16, #acc>
  tile.store %b, %w : tensor<64x16xbf16, #acc> to !tile.window<64x16xbf16>
  tile.return
}

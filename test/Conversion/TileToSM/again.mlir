// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = []>

// A load has two ways, one of them without tests for each row. In the body, whose code is to be short, it has only the
// other one.
// CHECK-LABEL: func.func @one_way
// CHECK: %[[VALUE:.*]] = scf.if %[[ALL:.*]] -> (vector<8xf32>) {
// CHECK-COUNT-4: sm.load_global %{{.*}} : vector<2xf32>
// CHECK: } else {
// CHECK-COUNT-2: scf.if %{{.*}} -> (vector<2xf32>, vector<2xf32>) {
// CHECK: %[[AGAIN:.*]] = sm.again %[[VALUE]] {
// CHECK-NOT: scf.if %[[ALL]]
// CHECK:   %[[ROW0:.*]]:2 = scf.if %{{.*}} -> (vector<2xf32>, vector<2xf32>) {
// CHECK-COUNT-2: sm.load_global %{{.*}} : vector<2xf32>
// CHECK-NOT:  sm.load_global
// CHECK:   } else {
// CHECK-NEXT: scf.yield %[[PAD:cst.*]], %[[PAD]]
// CHECK:   %[[ROW8:.*]]:2 = scf.if %{{.*}} -> (vector<2xf32>, vector<2xf32>) {
// CHECK-COUNT-2: sm.load_global %{{.*}} : vector<2xf32>
// CHECK-NOT:  sm.load_global
// CHECK:   %[[E:.*]] = vector.extract %[[ROW0]]#0[0]
// CHECK:   %[[F:.*]] = vector.extract %[[ROW8]]#0[0]
// CHECK:   %[[R:.*]] = vector.from_elements %[[E]], %{{.*}}, %[[F]], {{.*}} : vector<8xf32>
// CHECK:   sm.yield %[[R]] : vector<8xf32>
// CHECK: } : vector<8xf32>
// CHECK: arith.negf %[[AGAIN]]
tile.kernel @one_way(%x: !tile.global<?x16xf32>, %row: i64, %limit: i64)
    attributes {tile.num_warps = 4 : i64, tile.launch = {params = [{name = "x", kind = "tensor", dtype = "f32", aligned, extents = ["n", "16"]}]}} {
  %zero = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %w = tile.window %x[%row, %zero] dims = [0, 1] upto [%limit, %c16] : !tile.global<?x16xf32> to !tile.window<64x16xf32>
  %s = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
  %t = tile.again %s {
    %r = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
    tile.yield %r : tensor<64x16xf32, #acc>
  } : tensor<64x16xf32, #acc>
  %n = arith.negf %t : tensor<64x16xf32, #acc>
  tile.store %n, %w : tensor<64x16xf32, #acc> to !tile.window<64x16xf32>
  tile.return
}

// Where nothing needs a test, the body has none either.
// CHECK-LABEL: func.func @no_tests
// CHECK: sm.again %{{.*}} {
// CHECK-NOT: scf.if
// CHECK-COUNT-4: sm.load_global %{{.*}} : vector<2xf32>
// CHECK-NOT: scf.if
// CHECK: sm.yield
tile.kernel @no_tests(%x: !tile.global<64x16xf32>)
    attributes {tile.num_warps = 4 : i64, tile.launch = {params = [{name = "x", kind = "tensor", dtype = "f32", aligned, extents = ["64", "16"]}]}} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x16xf32> to !tile.window<64x16xf32>
  %s = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
  %t = tile.again %s {
    %r = tile.load %w : !tile.window<64x16xf32> to tensor<64x16xf32, #acc>
    tile.yield %r : tensor<64x16xf32, #acc>
  } : tensor<64x16xf32, #acc>
  tile.store %t, %w : tensor<64x16xf32, #acc> to !tile.window<64x16xf32>
  tile.return
}

// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#b = #tile.frag<reg = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], repeat = [], warps = []>
#one = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = []>

// The hardware saturates by itself. Bytes are stored as words.
// CHECK-LABEL: func.func @saturating
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
// CHECK-NEXT: %[[Q:.*]] = sm.cvt_pack %[[X]] : vector<4xf32> to vector<4xf8E4M3FN>
// CHECK: %[[W:.*]] = vector.bitcast %[[Q]] : vector<4xf8E4M3FN> to vector<1xi32>
// CHECK: sm.store_global %[[W]]
tile.kernel @saturating(%x: !tile.global<128xf16>, %y: !tile.global<128xf8E4M3FN>) attributes {tile.num_warps = 1 : i64, tile.launch = {params = [{name = "x", aligned}, {name = "y", aligned}]}} {
  %zero = arith.constant 0 : i64
  %xw = tile.window %x[%zero] dims = [0] : !tile.global<128xf16> to !tile.window<128xf16>
  %yw = tile.window %y[%zero] dims = [0] : !tile.global<128xf8E4M3FN> to !tile.window<128xf8E4M3FN>
  %f = tile.load %xw : !tile.window<128xf16> to tensor<128xf16, #b>
  %q = tile.cast %f {saturate} : tensor<128xf16, #b> to tensor<128xf8E4M3FN, #b>
  tile.store %q, %yw : tensor<128xf8E4M3FN, #b> to !tile.window<128xf8E4M3FN>
  tile.return
}

// From halfway to what would follow 57344 on, the next pattern: infinity.
// CHECK-LABEL: func.func @nonfinite
// CHECK: %[[LIMIT:.*]] = arith.constant dense<6.144000e+04> : vector<4xf32>
// CHECK: %[[H:.*]] = sm.cvt_unpack %{{.*}} : vector<4xf8E4M3FN> to vector<4xf16>
// CHECK: %[[X:.*]] = arith.extf %[[H]] : vector<4xf16> to vector<4xf32>
// CHECK: %[[Q:.*]] = sm.cvt_pack %[[X]] : vector<4xf32> to vector<4xf8E5M2>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[Q]] : vector<4xf8E5M2> to vector<4xi8>
// CHECK: %[[SIZE:.*]] = math.absf %[[X]]
// CHECK: %[[PAST:.*]] = arith.cmpf oge, %[[SIZE]], %[[LIMIT]]
// CHECK: %[[STEP:.*]] = arith.extui %[[PAST]] : vector<4xi1> to vector<4xi8>
// CHECK: arith.addi %[[BITS]], %[[STEP]] : vector<4xi8>
tile.kernel @nonfinite(%x: !tile.global<128xf8E4M3FN>, %y: !tile.global<128xf8E5M2>) attributes {tile.num_warps = 1 : i64, tile.launch = {params = [{name = "x", aligned}, {name = "y", aligned}]}} {
  %zero = arith.constant 0 : i64
  %xw = tile.window %x[%zero] dims = [0] : !tile.global<128xf8E4M3FN> to !tile.window<128xf8E4M3FN>
  %yw = tile.window %y[%zero] dims = [0] : !tile.global<128xf8E5M2> to !tile.window<128xf8E5M2>
  %f = tile.load %xw : !tile.window<128xf8E4M3FN> to tensor<128xf8E4M3FN, #b>
  %q = tile.cast %f : tensor<128xf8E4M3FN, #b> to tensor<128xf8E5M2, #b>
  tile.store %q, %yw : tensor<128xf8E5M2, #b> to !tile.window<128xf8E5M2>
  tile.return
}

// A single register is converted with itself; 448 ties to itself, so only what is above halfway is past it.
// CHECK-LABEL: func.func @odd
// CHECK-DAG: arith.constant dense<4.640000e+02> : vector<2xf32>
// CHECK: %[[PAIR:.*]] = vector.broadcast %{{.*}} : f32 to vector<2xf32>
// CHECK: sm.cvt_pack %[[PAIR]] : vector<2xf32> to vector<2xf8E4M3FN>
// CHECK: arith.cmpf ogt
// CHECK-LABEL: func.func @scalar
// CHECK: sm.cvt_unpack %{{.*}} : vector<2xf8E5M2> to vector<2xf16>
// CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xbf16>
tile.kernel @odd(%x: !tile.global<32xf32>, %y: !tile.global<32xf8E4M3FN>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %xw = tile.window %x[%zero] dims = [0] : !tile.global<32xf32> to !tile.window<32xf32>
  %yw = tile.window %y[%zero] dims = [0] : !tile.global<32xf8E4M3FN> to !tile.window<32xf8E4M3FN>
  %f = tile.load %xw : !tile.window<32xf32> to tensor<32xf32, #one>
  %q = tile.cast %f : tensor<32xf32, #one> to tensor<32xf8E4M3FN, #one>
  tile.store %q, %yw : tensor<32xf8E4M3FN, #one> to !tile.window<32xf8E4M3FN>
  tile.return
}

tile.kernel @scalar(%x: !tile.global<32xf8E5M2>, %y: !tile.global<32xbf16>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %f = tile.load_scalar %x[%zero] : !tile.global<32xf8E5M2> to f8E5M2
  %b = tile.cast %f : f8E5M2 to bf16
  tile.store_scalar %b, %y[%zero] : bf16 to !tile.global<32xbf16>
  tile.return
}

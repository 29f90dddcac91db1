// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @approximations
func.func @approximations(%x: f32, %v: vector<4xf32>) -> vector<4xf32> {
  // CHECK: sm.exp2 %{{.*}} : f32
  %0 = sm.exp2 %x : f32
  // CHECK: sm.log2 %{{.*}} : vector<4xf32>
  %1 = sm.log2 %v : vector<4xf32>
  // CHECK: sm.rcp %{{.*}} : vector<4xf32>
  %2 = sm.rcp %1 : vector<4xf32>
  // CHECK: sm.rsqrt %{{.*}} : vector<4xf32>
  %3 = sm.rsqrt %2 : vector<4xf32>
  // CHECK: sm.sqrt %{{.*}} : vector<4xf32>
  %4 = sm.sqrt %3 : vector<4xf32>
  // CHECK: sm.sin %{{.*}} : vector<4xf32>
  %5 = sm.sin %4 : vector<4xf32>
  // CHECK: sm.cos %{{.*}} : vector<4xf32>
  %6 = sm.cos %5 : vector<4xf32>
  // CHECK: sm.tanh %{{.*}} : vector<4xf32>
  %7 = sm.tanh %6 : vector<4xf32>
  return %7 : vector<4xf32>
}

// CHECK-LABEL: func.func @conversions
func.func @conversions(%v: vector<8xf32>) -> vector<8xf16> {
  // CHECK: sm.cvt_pack %{{.*}} : vector<8xf32> to vector<8xbf16>
  %0 = sm.cvt_pack %v : vector<8xf32> to vector<8xbf16>
  // CHECK: sm.cvt_pack %{{.*}} : vector<8xf32> to vector<8xf8E4M3FN>
  %1 = sm.cvt_pack %v : vector<8xf32> to vector<8xf8E4M3FN>
  // CHECK: sm.cvt_unpack %{{.*}} : vector<8xf8E4M3FN> to vector<8xf16>
  %2 = sm.cvt_unpack %1 : vector<8xf8E4M3FN> to vector<8xf16>
  return %2 : vector<8xf16>
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @registers_and_descriptors
func.func @registers_and_descriptors(%acc: vector<64xf32>, %a: vector<4xi32>, %d: i64) -> vector<64xf32> {
  // CHECK: %[[A:.*]] = sm.wgmma_fence of %{{.*}} : vector<4xi32>
  %tied = sm.wgmma_fence of %a : vector<4xi32>
  // CHECK: sm.wgmma %{{.*}}, %{{.*}}, %{{.*}} {init, type = bf16} : vector<64xf32>, i64
  %s = sm.wgmma %acc, %d, %d {type = bf16, init} : vector<64xf32>, i64
  // CHECK: sm.wgmma %{{.*}}, %[[A]], %{{.*}} {transpose_b, type = bf16} : vector<64xf32>, vector<4xi32>
  %r = sm.wgmma %s, %tied, %d {type = bf16, transpose_b} : vector<64xf32>, vector<4xi32>
  // CHECK: sm.wgmma_commit
  sm.wgmma_commit
  // CHECK: sm.wgmma_wait %{{.*}} {pending = 0 : i64} : vector<64xf32>
  %w = sm.wgmma_wait %r {pending = 0 : i64} : vector<64xf32>
  return %w : vector<64xf32>
}

// CHECK-LABEL: func.func @odd_widths_and_fp8
func.func @odd_widths_and_fp8(%narrow: vector<44xf32>, %wide: vector<128xf32>, %d: i64) {
  // CHECK: sm.wgmma_fence{{$}}
  sm.wgmma_fence
  // CHECK: sm.wgmma %{{.*}} {type = f8E4M3FN} : vector<44xf32>, i64
  %x = sm.wgmma %narrow, %d, %d {type = f8E4M3FN} : vector<44xf32>, i64
  // CHECK: sm.wgmma %{{.*}} {transpose_a, type = f16} : vector<128xf32>, i64
  %y = sm.wgmma %wide, %d, %d {type = f16, transpose_a} : vector<128xf32>, i64
  sm.wgmma_commit
  // CHECK: %{{.*}}:2 = sm.wgmma_wait %{{.*}}, %{{.*}} {pending = 0 : i64} : vector<44xf32>, vector<128xf32>
  %w:2 = sm.wgmma_wait %x, %y {pending = 0 : i64} : vector<44xf32>, vector<128xf32>
  // CHECK: sm.wgmma_wait {pending = 1 : i64}
  sm.wgmma_wait {pending = 1 : i64}
  return
}

// CHECK-LABEL: func.func @order_of_work
func.func @order_of_work(%sums: vector<2xf32>, %b: i64) {
  // CHECK: sm.order %{{.*}} : vector<2xf32>
  sm.order %sums : vector<2xf32>
  // CHECK: sm.behind %{{.*}} of %{{.*}} : vector<2xf32>, vector<2xf32>
  %late = sm.behind %sums of %sums : vector<2xf32>, vector<2xf32>
  // CHECK: sm.opaque %{{.*}} : i64
  %same = sm.opaque %b : i64
  // CHECK: sm.apart
  sm.apart
  return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>

// CHECK-LABEL: tile.kernel @products
tile.kernel @products() {
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %p = arith.constant dense<1.0> : tensor<64x64xbf16, #acc>
  pipe.specialize producer {
  } consumer {
    // CHECK: %[[S:.*]] = pipe.mma %{{.*}}, %{{.*}}, %{{.*}} {transpose_b} : !tile.shared<64x64xbf16>, <64x64xbf16>, tensor<64x64xf32, #{{.*}}> -> <tensor<64x64xf32, #{{.*}}>>
    %s = pipe.mma %q, %q, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32, #acc> -> !pipe.inflight<tensor<64x64xf32, #acc>>
    // CHECK: %[[T:.*]] = pipe.mma %{{.*}}, %{{.*}}, %[[S]] : tensor<64x64xbf16, #{{.*}}>, <64x64xbf16>, !pipe.inflight<tensor<64x64xf32, #{{.*}}>> -> <tensor<64x64xf32, #{{.*}}>>
    %t = pipe.mma %p, %q, %s : tensor<64x64xbf16, #acc>, !tile.shared<64x64xbf16>, !pipe.inflight<tensor<64x64xf32, #acc>> -> !pipe.inflight<tensor<64x64xf32, #acc>>
    // CHECK: pipe.mma_drain pending 1
    pipe.mma_drain pending 1
    // CHECK: pipe.mma_wait %[[T]] pending 0 : <tensor<64x64xf32, #{{.*}}>> -> tensor<64x64xf32, #{{.*}}>
    %r = pipe.mma_wait %t pending 0 : !pipe.inflight<tensor<64x64xf32, #acc>> -> tensor<64x64xf32, #acc>
    // CHECK: pipe.order %{{.*}} : tensor<64x64xf32, #{{.*}}>
    pipe.order %r : tensor<64x64xf32, #acc>
  }
  tile.return
}

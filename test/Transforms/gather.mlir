// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-optimize-conversions,tile-materialize-scratch,tile-allocate-shared,tile-insert-barriers-and-fences))' | FileCheck %s

// The index is loaded where it is needed, in the slice of the layout of the rows: no conversion. An
// index may meet any element, so each access of the tile, and the second write of the tensor, waits for
// all threads.
// CHECK-DAG: #[[ROWS:.*]] = #tile.frag<reg = [{{\[}}0, 1], [0, 2], [0, 4]], lane = [{{\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [], repeat = {{\[\[}}0, 2]], warps = {{\[\[}}0, 4]]>
// CHECK-DAG: #[[SLICE:.*]] = #tile.frag<reg = [], lane = [{{\[}}0], [0], [0], [1], [2]], warp = [], repeat = {{\[\[}}0, 2]], warps = {{\[\[}}0, 4]]>
// CHECK-LABEL: tile.kernel @rows(
// CHECK-NOT: tile.convert_layout
// CHECK: %[[I:.*]] = tile.load %{{.*}} : !tile.window<32xi32> to tensor<32xi32, #[[SLICE]]>
// CHECK: %[[S:.*]] = tile.alloc_shared at 0
// CHECK: tile.gather_copy %{{.*}}[%[[I]]], %[[S]] axis = 0
// CHECK-NEXT: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: %[[A:.*]] = tile.load %[[S]] : {{.*}} to tensor<32x64xbf16, #[[ROWS]]>
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.scatter %[[A]], %[[S]][%[[I]]]
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.gather %[[S]][%[[I]]]
// CHECK-NOT: sm.barrier
// CHECK: tile.scatter
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.scatter
// CHECK-NEXT: tile.return
tile.kernel @rows(%x: !tile.global<?x64xbf16>, %y: !tile.global<?x64xbf16>, %ids: !tile.global<?xi32>, %o: i64) {
  %c0 = arith.constant 0 : i64
  %wi = tile.window %ids[%o] dims = [0] : !tile.global<?xi32> to !tile.window<32xi32>
  %index = tile.load %wi : !tile.window<32xi32> to tensor<32xi32>
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %s = tile.alloc_shared : !tile.shared<32x64xbf16>
  tile.gather_copy %w[%index], %s axis = 0 : !tile.window<32x64xbf16>, tensor<32xi32> to !tile.shared<32x64xbf16>
  %a = tile.load %s : !tile.shared<32x64xbf16> to tensor<32x64xbf16>
  tile.scatter %a, %s[%index] axis = 0 : tensor<32x64xbf16>, tensor<32xi32> to !tile.shared<32x64xbf16>
  %b = tile.gather %s[%index] axis = 0 : !tile.shared<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  %v = tile.window %y[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  tile.scatter %b, %v[%index] axis = 0 : tensor<32x64xbf16>, tensor<32xi32> to !tile.window<32x64xbf16>
  tile.scatter %a, %v[%index] axis = 0 : tensor<32x64xbf16>, tensor<32xi32> to !tile.window<32x64xbf16>
  tile.return
}

// Rows into shared memory for wgmma: written through the generic proxy.
// CHECK-LABEL: tile.kernel @product(
// CHECK: tile.gather_copy
// CHECK-NEXT: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.fence_proxy
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.gemm
tile.kernel @product(%x: !tile.global<?x64xbf16>, %ids: !tile.global<?xi32>, %c: !tile.global<64x64xf32>) {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %wi = tile.window %ids[%c0] dims = [0] : !tile.global<?xi32> to !tile.window<64xi32>
  %index = tile.load %wi : !tile.window<64xi32> to tensor<64xi32>
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %s = tile.alloc_shared : !tile.shared<64x64xbf16>
  tile.gather_copy %w[%index], %s axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
  %r = tile.gemm %s, %s, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
  %cw = tile.window %c[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %cw : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A scatter writes a part: what the tile held before must not share bytes with the other tile.
// CHECK-LABEL: tile.kernel @partial(
// CHECK: tile.alloc_shared at 0
// CHECK: tile.alloc_shared at 1024
tile.kernel @partial(%o: !tile.global<?xf32>) {
  %c0 = arith.constant 0 : i64
  %index = arith.constant dense<1> : tensor<256xi32>
  %value = arith.constant dense<2.0> : tensor<256xf32>
  %a = tile.alloc_shared : !tile.shared<256xf32>
  tile.store %value, %a : tensor<256xf32> to !tile.shared<256xf32>
  %b = tile.alloc_shared : !tile.shared<256xf32>
  tile.store %value, %b : tensor<256xf32> to !tile.shared<256xf32>
  %x = tile.load %b : !tile.shared<256xf32> to tensor<256xf32>
  tile.scatter %x, %a[%index] axis = 0 : tensor<256xf32>, tensor<256xi32> to !tile.shared<256xf32>
  %y = tile.load %a : !tile.shared<256xf32> to tensor<256xf32>
  %w = tile.window %o[%c0] dims = [0] : !tile.global<?xf32> to !tile.window<256xf32>
  tile.store %y, %w : tensor<256xf32> to !tile.window<256xf32>
  tile.return
}

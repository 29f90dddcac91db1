// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#wide = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 40]], warps = []>

// Two groups in flight: the first is finished with one pending. A product that overwrites reads no
// accumulator; the fence of the second ties A's registers and the accumulator, which other
// instructions wrote; its wait ties A's registers, which are read until then.
// CHECK-LABEL: func.func @overlap
// CHECK: sm.wgmma_fence{{$}}
// CHECK: %[[S0:.*]] = sm.wgmma %{{.*}} {init, type = bf16} : vector<32xf32>, i64
// CHECK: %[[S1:.*]] = sm.wgmma %[[S0]], %{{.*}} {type = bf16} : vector<32xf32>, i64
// CHECK: %[[S2:.*]] = sm.wgmma %[[S1]]
// CHECK: %[[S3:.*]] = sm.wgmma %[[S2]]
// CHECK: sm.wgmma_commit
// CHECK: %[[TIED:.*]]:2 = sm.wgmma_fence of %{{.*}}, %{{.*}} : vector<32xi32>, vector<32xf32>
// CHECK: %[[A0:.*]] = vector.shuffle %[[TIED]]#0, %[[TIED]]#0 [0, 1, 2, 3]
// CHECK: %[[O0:.*]] = sm.wgmma %[[TIED]]#1, %[[A0]], %{{.*}} {transpose_b, type = bf16} : vector<32xf32>, vector<4xi32>
// CHECK-COUNT-7: sm.wgmma %
// CHECK: sm.wgmma_commit
// CHECK: sm.wgmma_wait %[[S3]] {pending = 1 : i64} : vector<32xf32>
// CHECK: sm.wgmma_wait %{{.*}}, %[[TIED]]#0 {pending = 0 : i64} : vector<32xf32>, vector<32xi32>
#pacc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 16]], warps = []>
tile.kernel @overlap(%x: f32, %out: !tile.global<64x64xf32>) attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %none = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %q = tile.alloc_shared at 0 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %v = tile.alloc_shared at 8192 : !tile.shared<128x64xbf16, #tile.swizzle<128>>
  pipe.specialize producer {
  } consumer {
    %o = tile.broadcast %x dims = [] : f32 to tensor<64x64xf32, #acc>
    %pf = tile.broadcast %x dims = [] : f32 to tensor<64x128xf32, #pacc>
    %p = arith.truncf %pf : tensor<64x128xf32, #pacc> to tensor<64x128xbf16, #pacc>
    %s = pipe.mma %q, %q, %none {transpose_b} : !tile.shared<64x64xbf16, #tile.swizzle<128>>, !tile.shared<64x64xbf16, #tile.swizzle<128>>, tensor<64x64xf32, #acc> -> !pipe.inflight<tensor<64x64xf32, #acc>>
    %t = pipe.mma %p, %v, %o : tensor<64x128xbf16, #pacc>, !tile.shared<128x64xbf16, #tile.swizzle<128>>, tensor<64x64xf32, #acc> -> !pipe.inflight<tensor<64x64xf32, #acc>>
    %sd = pipe.mma_wait %s pending 1 : !pipe.inflight<tensor<64x64xf32, #acc>> -> tensor<64x64xf32, #acc>
    %td = pipe.mma_wait %t pending 0 : !pipe.inflight<tensor<64x64xf32, #acc>> -> tensor<64x64xf32, #acc>
    %sum = arith.addf %sd, %td : tensor<64x64xf32, #acc>
    %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
    tile.store %sum, %w : tensor<64x64xf32, #acc> to !tile.window<64x64xf32>
  }
  tile.return
}

// An accumulator in flight goes around a loop; its registers are tied nowhere but in the last wait. More
// than 256 columns are two chains of one group.
// CHECK-LABEL: func.func @chain
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<160xf32>)
// CHECK: sm.wgmma_fence{{$}}
// CHECK: %[[LEFT:.*]] = vector.shuffle %[[ACC]], %[[ACC]] [0, 1, 2, {{.*}} 127]
// CHECK: sm.wgmma %[[LEFT]], %{{.*}} : vector<128xf32>, i64
// CHECK-COUNT-3: sm.wgmma %{{.*}} : vector<128xf32>, i64
// CHECK: %[[RIGHT:.*]] = vector.shuffle %[[ACC]], %[[ACC]] [128, {{.*}} 159]
// CHECK: sm.wgmma %[[RIGHT]], %{{.*}} : vector<32xf32>, i64
// CHECK-COUNT-3: sm.wgmma %{{.*}} : vector<32xf32>, i64
// CHECK: sm.wgmma_commit
// CHECK: sm.wgmma_wait {pending = 1 : i64}
// CHECK: scf.yield
// CHECK: sm.wgmma_wait %[[END]] {pending = 0 : i64} : vector<160xf32>
tile.kernel @chain(%n: i64, %out: !tile.global<64x320xf32>) attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<64x320xf32, #wide>
  %a = tile.alloc_shared at 0 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 8192 : !tile.shared<64x320xbf16, #tile.swizzle<128>>
  pipe.specialize producer {
  } consumer {
    %start = pipe.mma %a, %b, %none : !tile.shared<64x64xbf16, #tile.swizzle<128>>, !tile.shared<64x320xbf16, #tile.swizzle<128>>, tensor<64x320xf32, #wide> -> !pipe.inflight<tensor<64x320xf32, #wide>>
    %end = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> !pipe.inflight<tensor<64x320xf32, #wide>> : i64 {
      %next = pipe.mma %a, %b, %acc : !tile.shared<64x64xbf16, #tile.swizzle<128>>, !tile.shared<64x320xbf16, #tile.swizzle<128>>, !pipe.inflight<tensor<64x320xf32, #wide>> -> !pipe.inflight<tensor<64x320xf32, #wide>>
      pipe.mma_drain pending 1
      scf.yield %next : !pipe.inflight<tensor<64x320xf32, #wide>>
    }
    %done = pipe.mma_wait %end pending 0 : !pipe.inflight<tensor<64x320xf32, #wide>> -> tensor<64x320xf32, #wide>
    %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x320xf32> to !tile.window<64x320xf32>
    tile.store %done, %w : tensor<64x320xf32, #wide> to !tile.window<64x320xf32>
  }
  tile.return
}

// A product that is waited for where it was issued: its two chains become one vector behind the wait.
// CHECK-LABEL: func.func @two_chains
// CHECK: sm.wgmma %{{.*}} {init, {{.*}} : vector<128xf32>, i64
// CHECK: %[[LEFT:.*]] = sm.wgmma %{{.*}} : vector<128xf32>, i64
// CHECK: sm.wgmma %{{.*}} {init, {{.*}} : vector<32xf32>, i64
// CHECK: %[[RIGHT:.*]] = sm.wgmma %{{.*}} : vector<32xf32>, i64
// CHECK-NEXT: sm.wgmma_commit
// CHECK-NEXT: %[[DONE:.*]]:2 = sm.wgmma_wait %[[LEFT]], %[[RIGHT]] {pending = 0 : i64} : vector<128xf32>, vector<32xf32>
// CHECK-NEXT: vector.shuffle %[[DONE]]#0, %[[DONE]]#1 [0, 1, {{.*}} 159]
tile.kernel @two_chains(%out: !tile.global<64x320xf32>) attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %none = arith.constant dense<0.0> : tensor<64x320xf32, #wide>
  %a = tile.alloc_shared at 0 : !tile.shared<64x32xbf16, #tile.swizzle<64>>
  %b = tile.alloc_shared at 8192 : !tile.shared<32x320xbf16, #tile.swizzle<128>>
  pipe.specialize producer {
  } consumer {
    %s = pipe.mma %a, %b, %none : !tile.shared<64x32xbf16, #tile.swizzle<64>>, !tile.shared<32x320xbf16, #tile.swizzle<128>>, tensor<64x320xf32, #wide> -> !pipe.inflight<tensor<64x320xf32, #wide>>
    %done = pipe.mma_wait %s pending 0 : !pipe.inflight<tensor<64x320xf32, #wide>> -> tensor<64x320xf32, #wide>
    %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x320xf32> to !tile.window<64x320xf32>
    tile.store %done, %w : tensor<64x320xf32, #wide> to !tile.window<64x320xf32>
  }
  tile.return
}

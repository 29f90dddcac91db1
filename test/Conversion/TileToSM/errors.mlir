// RUN: tile-opt %s -convert-tile-to-sm -split-input-file -verify-diagnostics

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [], warps = []>

// expected-error @below {{has no number of warps; run 'tile-assign-layouts' first}}
tile.kernel @no_warps(%x: !tile.global<?xf32>) {
  tile.return
}

// -----

tile.kernel @no_layout(%x: !tile.global<?xf32>) attributes {tile.num_warps = 4 : i64} {
  // expected-error @below {{expected a fragment with a layout, found 'tensor<64xf32>'; run 'tile-assign-layouts' first}}
  %a = arith.constant dense<0.0> : tensor<64xf32>
  tile.return
}

// -----

#two = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 2]]>
tile.kernel @other_warps(%x: !tile.global<?xf32>) attributes {tile.num_warps = 4 : i64} {
  // expected-error @below {{expected a layout over the kernel's 4 warps, found one over 2}}
  %a = arith.constant dense<0.0> : tensor<64xf32, #two>
  tile.return
}

// -----

tile.kernel @no_place() attributes {tile.num_warps = 4 : i64} {
  // expected-error @below {{has no place in shared memory; run 'tile-allocate-shared' first}}
  %s = tile.alloc_shared : !tile.shared<64x64xbf16>
  tile.return
}

// -----

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>
#all = #tile.frag<reg = [], lane = [[0], [0], [0], [0], [0]], warp = [], repeat = [[0, 128]], warps = [[-1, 4]]>
tile.kernel @across_threads(%x: !tile.global<128xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<128xf32> to !tile.window<128xf32>
  %a = tile.load %w : !tile.window<128xf32> to tensor<128xf32, #line>
  // expected-error @below {{moves elements between threads; run 'tile-materialize-scratch' first}}
  %b = tile.convert_layout %a : tensor<128xf32, #line> to tensor<128xf32, #all>
  tile.store %b, %w : tensor<128xf32, #all> to !tile.window<128xf32>
  tile.return
}

// -----

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>
tile.kernel @across_warps(%x: !tile.global<128xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero] dims = [0] : !tile.global<128xf32> to !tile.window<128xf32>
  %a = tile.load %w : !tile.window<128xf32> to tensor<128xf32, #line>
  // expected-error @below {{reduces over several warps; run 'tile-materialize-scratch' first}}
  %m = tile.reduce max %a axis = 0 : tensor<128xf32, #line> to f32
  tile.store_scalar %m, %x[%zero] : f32 to !tile.global<128xf32>
  tile.return
}

// -----

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [], warps = []>
tile.kernel @plain_operand(%x: !tile.global<64x8xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 8192 : !tile.shared<8x64xbf16>
  %acc = arith.constant dense<0.0> : tensor<64x8xf32, #acc>
  // expected-error @below {{a K-major wgmma operand needs a swizzle of 32, 64 or 128 bytes, found none}}
  %r = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<64x64xbf16, #tile.swizzle<128>>, !tile.shared<8x64xbf16>, tensor<64x8xf32, #acc>
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x8xf32> to !tile.window<64x8xf32>
  tile.store %r, %w : tensor<64x8xf32, #acc> to !tile.window<64x8xf32>
  tile.return
}

// -----

#mma = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = []>
tile.kernel @odd_k(%x: !tile.global<16x8xf32>) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<16x24xbf16>
  %b = tile.alloc_shared at 8192 : !tile.shared<8x24xbf16>
  %acc = arith.constant dense<0.0> : tensor<16x8xf32, #mma>
  // expected-error @below {{expected a contracted axis of a multiple of 16 elements of 'bf16', found 24}}
  %r = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<16x24xbf16>, !tile.shared<8x24xbf16>, tensor<16x8xf32, #mma>
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<16x8xf32> to !tile.window<16x8xf32>
  tile.store %r, %w : tensor<16x8xf32, #mma> to !tile.window<16x8xf32>
  tile.return
}

// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

#s = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#o = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 16]], warps = []>
#wide = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 40]], warps = []>
#tall = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2], [0, 2]], warps = [[0, 2]]>

// Q K^T: both K-major, stride of eight rows 1024 bytes; a K step is 32 bytes (2 units of 16), the
// fifth starts the next slab of 64 rows (8192 bytes). The first product overwrites.
// CHECK-LABEL: func.func @scores
// CHECK: %[[KEYS:.*]] = arith.addi %{{.*}}, %c16384_i32
// CHECK: %[[FIELD:.*]] = arith.andi %[[KEYS]], %c262143_i32
// CHECK: %[[UNITS:.*]] = arith.shrui %[[FIELD]], %c4_i32
// CHECK: %[[LOWER:.*]] = arith.ori %[[UNITS]], %c65536_i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[LOWER]]
// CHECK: %[[B:.*]] = arith.ori %[[WIDE]], %c4611686293305294848_i64
// CHECK: %[[A:.*]] = arith.ori %{{.*}}, %c4611686293305294848_i64
// CHECK: sm.wgmma_fence
// CHECK: %[[R0:.*]] = sm.wgmma %cst, %[[A]], %[[B]] {init, type = bf16} : vector<32xf32>, i64
// CHECK: %[[A2:.*]] = arith.addi %[[A]], %c2_i64
// CHECK: %[[B2:.*]] = arith.addi %[[B]], %c2_i64
// CHECK: %[[R1:.*]] = sm.wgmma %[[R0]], %[[A2]], %[[B2]] {type = bf16} : vector<32xf32>, i64
// CHECK: arith.addi %[[A]], %c512_i64
// CHECK-COUNT-4: sm.wgmma %
// CHECK-NOT: sm.wgmma %
// CHECK: sm.wgmma_commit
// CHECK: sm.wgmma_wait %{{.*}} {pending = 0 : i64} : vector<32xf32>
tile.kernel @scores(%out: !tile.global<64x64xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %q = tile.alloc_shared at 0 : !tile.shared<64x128xbf16, #tile.swizzle<128>>
  %k = tile.alloc_shared at 16384 : !tile.shared<64x128xbf16, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<64x64xf32, #s>
  %s = tile.gemm %q, %k, %acc {transpose_b} : !tile.shared<64x128xbf16, #tile.swizzle<128>>, !tile.shared<64x128xbf16, #tile.swizzle<128>>, tensor<64x64xf32, #s>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %s, %w : tensor<64x64xf32, #s> to !tile.window<64x64xf32>
  tile.return
}

// P V: P stays in its registers, V is MN-major: a K step is 16 rows of a slab (2048 bytes).
// CHECK-LABEL: func.func @values
// CHECK: %[[P:.*]] = arith.truncf %{{.*}} : vector<32xf32> to vector<32xbf16>
// CHECK: %[[WORDS:.*]] = vector.bitcast %[[P]] : vector<32xbf16> to vector<16xi32>
// CHECK: %[[TIED:.*]]:2 = sm.wgmma_fence of %[[WORDS]], %[[ACC:.*]] : vector<16xi32>, vector<64xf32>
// CHECK: %[[A0:.*]] = vector.shuffle %[[TIED]]#0, %[[TIED]]#0 [0, 1, 2, 3]
// CHECK: %[[R:.*]] = sm.wgmma %[[TIED]]#1, %[[A0]], %[[V:.*]] {transpose_b, type = bf16} : vector<64xf32>, vector<4xi32>
// CHECK: %[[A1:.*]] = vector.shuffle %[[TIED]]#0, %[[TIED]]#0 [4, 5, 6, 7]
// CHECK: %[[V1:.*]] = arith.addi %[[V]], %c128_i64
// CHECK: sm.wgmma %[[R]], %[[A1]], %[[V1]] {transpose_b, type = bf16}
tile.kernel @values(%x: !tile.global<64x64xf32>, %out: !tile.global<64x128xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %v = tile.alloc_shared at 0 : !tile.shared<64x128xbf16, #tile.swizzle<128>>
  %xw = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  %p = tile.load %xw : !tile.window<64x64xf32> to tensor<64x64xf32, #s>
  %b = arith.truncf %p : tensor<64x64xf32, #s> to tensor<64x64xbf16, #s>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x128xf32> to !tile.window<64x128xf32>
  %acc = tile.load %w : !tile.window<64x128xf32> to tensor<64x128xf32, #o>
  %r = tile.gemm %b, %v, %acc : tensor<64x64xbf16, #s>, !tile.shared<64x128xbf16, #tile.swizzle<128>>, tensor<64x128xf32, #o>
  tile.store %r, %w : tensor<64x128xf32, #o> to !tile.window<64x128xf32>
  tile.return
}

// N = 320: columns 0..255 and 256..319 (row 256 of B starts 32768 bytes further on).
// CHECK-LABEL: func.func @wide
// CHECK: sm.wgmma %{{.*}}, %{{.*}}, %[[B:.*]] {init, type = bf16} : vector<128xf32>, i64
// CHECK: %[[B256:.*]] = arith.addi %[[B]], %c2048_i64
// CHECK: sm.wgmma %{{.*}}, %{{.*}}, %[[B256]] {init, type = bf16} : vector<32xf32>, i64
// CHECK: sm.wgmma_wait %{{.*}}, %{{.*}} {pending = 0 : i64} : vector<128xf32>, vector<32xf32>
tile.kernel @wide(%out: !tile.global<64x320xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 8192 : !tile.shared<320x64xbf16, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<64x320xf32, #wide>
  %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<64x64xbf16, #tile.swizzle<128>>, !tile.shared<320x64xbf16, #tile.swizzle<128>>, tensor<64x320xf32, #wide>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<64x320xf32> to !tile.window<64x320xf32>
  tile.store %s, %w : tensor<64x320xf32, #wide> to !tile.window<64x320xf32>
  tile.return
}

// M = 256 on two warpgroups: each has 128 rows (16384 bytes of A, 1024 units), two blocks of 64 (512 units).
// CHECK-LABEL: func.func @tall
// CHECK: %[[WARP:.*]] = sm.warp_id
// CHECK: %[[GROUP:.*]] = arith.shrui %[[WARP]], %c2_i32
// CHECK: %[[ROWS:.*]] = arith.shli %{{.*}}, %c10_i32
// CHECK: %[[LOWER:.*]] = arith.addi %{{.*}}, %[[ROWS]]
// CHECK: %[[WIDE:.*]] = arith.extui %[[LOWER]]
// CHECK: %[[A:.*]] = arith.ori %[[WIDE]], %c4611686293305294848_i64
// CHECK: %[[X:.*]] = sm.wgmma %{{.*}}, %[[A]], %[[B:.*]] {init, type = bf16} : vector<8xf32>, i64
// CHECK: %[[A64:.*]] = arith.addi %[[A]], %c512_i64
// CHECK: sm.wgmma %{{.*}}, %[[A64]], %[[B]] {init, type = bf16} : vector<8xf32>, i64
tile.kernel @tall(%out: !tile.global<256x16xf32>) attributes {tile.num_warps = 8 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<256x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 32768 : !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<256x16xf32, #tall>
  %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<256x64xbf16, #tile.swizzle<128>>, !tile.shared<16x64xbf16, #tile.swizzle<128>>, tensor<256x16xf32, #tall>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<256x16xf32> to !tile.window<256x16xf32>
  tile.store %s, %w : tensor<256x16xf32, #tall> to !tile.window<256x16xf32>
  tile.return
}

#runs = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 4]], warps = [[0, 2]]>
#inner = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 4], [0, 2]], warps = []>
#odd = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 4], [0, 2]], warps = [[0, 3]]>

// Grouped, a run for each warpgroup: its B starts as many matrices of 32 rows (4096 bytes, 256 units of 16) into the
// tile; the number is multiplied in units, and added to the tile's descriptor.
// CHECK-LABEL: func.func @grouped
// CHECK: %[[WARP:.*]] = sm.warp_id
// CHECK: arith.shrui %[[WARP]], %c2_i32
// CHECK: %[[TILE:.*]] = arith.addi %{{.*}}, %c16384_i32
// CHECK: %[[MATRIX:.*]] = arith.shli %{{.*}}, %c8_i32
// CHECK: %[[MASKED:.*]] = arith.andi %[[TILE]], %c262143_i32
// CHECK: %[[UNITS:.*]] = arith.shrui %[[MASKED]], %c4_i32
// CHECK: %[[LOWER:.*]] = arith.ori %[[UNITS]], %c65536_i32
// CHECK: %[[START:.*]] = arith.addi %[[LOWER]], %[[MATRIX]]
// CHECK: %[[WIDE:.*]] = arith.extui %[[START]]
// CHECK: %[[B:.*]] = arith.ori %[[WIDE]], %c4611686293305294848_i64
// CHECK: sm.wgmma %{{.*}}, %{{.*}}, %[[B]] {init, type = bf16} : vector<16xf32>, i64
tile.kernel @grouped(%out: !tile.global<128x32xf32>) attributes {tile.num_warps = 8 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<128x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 16384 : !tile.shared<2x32x64xbf16, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<128x32xf32, #runs>
  %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<128x64xbf16, #tile.swizzle<128>>, !tile.shared<2x32x64xbf16, #tile.swizzle<128>>, tensor<128x32xf32, #runs>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<128x32xf32> to !tile.window<128x32xf32>
  tile.store %s, %w : tensor<128x32xf32, #runs> to !tile.window<128x32xf32>
  tile.return
}

// Two runs in a warpgroup: the second one's matrix starts 64 rows of 64 bytes further on (256 units), and a
// K step is 16 of them (64 units).
// CHECK-LABEL: func.func @grouped_inside
// CHECK: sm.wgmma %{{.*}}, %{{.*}}, %[[B:.*]] {init, transpose_b, type = bf16} : vector<16xf32>, i64
// CHECK: arith.addi %[[B]], %c64_i64
// CHECK: arith.addi %[[B]], %c128_i64
// CHECK: arith.addi %[[B]], %c192_i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[B]], %c256_i64
// CHECK: sm.wgmma %{{.*}}, %{{.*}}, %[[NEXT]] {init, transpose_b, type = bf16} : vector<16xf32>, i64
tile.kernel @grouped_inside(%out: !tile.global<128x32xf32>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<128x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 16384 : !tile.shared<2x64x32xbf16, #tile.swizzle<64>>
  %acc = arith.constant dense<0.0> : tensor<128x32xf32, #inner>
  %s = tile.gemm %a, %b, %acc : !tile.shared<128x64xbf16, #tile.swizzle<128>>, !tile.shared<2x64x32xbf16, #tile.swizzle<64>>, tensor<128x32xf32, #inner>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<128x32xf32> to !tile.window<128x32xf32>
  tile.store %s, %w : tensor<128x32xf32, #inner> to !tile.window<128x32xf32>
  tile.return
}

// Three warpgroups of two blocks, runs of three: blocks 2 and 3, of the second one, are of different runs.
// CHECK-LABEL: func.func @grouped_across
// CHECK: %[[FIRST:.*]] = arith.shli %{{.*}}, %c1_i32
// CHECK: %[[ONE:.*]] = arith.divui %[[FIRST]], %c3_i32
// CHECK: arith.shli %[[ONE]], %c8_i32
// CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1_i32
// CHECK: %[[OTHER:.*]] = arith.divui %[[SECOND]], %c3_i32
// CHECK: arith.shli %[[OTHER]], %c8_i32
// CHECK-COUNT-8: sm.wgmma %
tile.kernel @grouped_across(%out: !tile.global<384x32xf32>) attributes {tile.num_warps = 12 : i64} {
  %zero = arith.constant 0 : i64
  %a = tile.alloc_shared at 0 : !tile.shared<384x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 49152 : !tile.shared<2x32x64xbf16, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<384x32xf32, #odd>
  %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<384x64xbf16, #tile.swizzle<128>>, !tile.shared<2x32x64xbf16, #tile.swizzle<128>>, tensor<384x32xf32, #odd>
  %w = tile.window %out[%zero, %zero] dims = [0, 1] : !tile.global<384x32xf32> to !tile.window<384x32xf32>
  tile.store %s, %w : tensor<384x32xf32, #odd> to !tile.window<384x32xf32>
  tile.return
}

// A part that an index chooses, a slab of 64 columns: its whole address goes into the field. Of a field that grows with
// the loop, LLVM makes a descriptor of 64 bits that grows, and ptxas 13.0 lost its upper word.
// CHECK-LABEL: func.func @stepped
// CHECK: scf.for
// CHECK: %[[COLUMN:.*]] = arith.muli %{{.*}}, %c64_i64
// CHECK: %[[NARROW:.*]] = arith.trunci %[[COLUMN]] : i64 to i32
// CHECK: %[[BYTES:.*]] = arith.shli %[[NARROW]], %c1_i32
// CHECK: %[[SLAB:.*]] = arith.shrui %[[BYTES]], %c7_i32
// CHECK: %[[START:.*]] = arith.shli %[[SLAB]], %c13_i32
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[START]]
// CHECK: %[[MASKED:.*]] = arith.andi %[[AT]], %c262143_i32
// CHECK: %[[UNITS:.*]] = arith.shrui %[[MASKED]], %c4_i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[UNITS]]
// CHECK: %[[A:.*]] = arith.ori %[[WIDE]], %c4611686293305360384_i64
// CHECK: sm.wgmma %{{.*}}, %[[A]], %{{.*}} {type = bf16} : vector<32xf32>, i64
tile.kernel @stepped(%out: !tile.global<64x64xf32>) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c64 = arith.constant 64 : i64
  %q = tile.alloc_shared at 0 : !tile.shared<64x128xbf16, #tile.swizzle<128>>
  %k = tile.alloc_shared at 16384 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %acc = arith.constant dense<0.0> : tensor<64x64xf32, #s>
  %s = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #s>) : i64 {
    %column = arith.muli %i, %c64 : i64
    %part = tile.slice %q[%c0, %column] : !tile.shared<64x128xbf16, #tile.swizzle<128>> to !tile.shared<64x64xbf16, #tile.swizzle<128>>
    %next = tile.gemm %part, %k, %sum {transpose_b} : !tile.shared<64x64xbf16, #tile.swizzle<128>>, !tile.shared<64x64xbf16, #tile.swizzle<128>>, tensor<64x64xf32, #s>
    scf.yield %next : tensor<64x64xf32, #s>
  }
  %w = tile.window %out[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %s, %w : tensor<64x64xf32, #s> to !tile.window<64x64xf32>
  tile.return
}

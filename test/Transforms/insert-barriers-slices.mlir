// RUN: tile-opt %s -tile-insert-barriers-and-fences | FileCheck %s

#rows = #tile.frag<reg = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [], repeat = [[0, 8]], warps = [[0, 4]]>

// Pages of one tile, each another part: no copy waits for the one before. Their reader waits for all.
// CHECK-LABEL: tile.kernel @pages
// CHECK: scf.for
// CHECK-NOT: sm.barrier
// CHECK-NOT: sm.cp_async_wait
// CHECK: tile.copy
// CHECK: }
// CHECK-NEXT: sm.cp_async_wait {pending = 0
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @pages(%x: !tile.global<?x8x64xf32>) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<32x64xf32, #tile.swizzle<128>>
  scf.for %j = %c0 to %c4 step %c1 : i64 {
    %w = tile.window %x[%j, %c0, %c0] dims = [1, 2] : !tile.global<?x8x64xf32> to !tile.window<8x64xf32>
    %row = arith.muli %j, %c8 : i64
    %page = tile.slice %s[%row, %c0] : !tile.shared<32x64xf32, #tile.swizzle<128>> to !tile.shared<8x64xf32, #tile.swizzle<128>>
    tile.copy %w, %page : !tile.window<8x64xf32> to !tile.shared<8x64xf32, #tile.swizzle<128>>
  }
  %f = tile.load %s : !tile.shared<32x64xf32, #tile.swizzle<128>> to tensor<32x64xf32, #rows>
  tile.return
}

// Pages that overlap, 4 rows further each: every copy waits for the one before.
// CHECK-LABEL: tile.kernel @overlapping
// CHECK: scf.for
// CHECK: sm.cp_async_wait {pending = 0
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.copy
tile.kernel @overlapping(%x: !tile.global<?x8x64xf32>) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<32x64xf32, #tile.swizzle<128>>
  scf.for %j = %c0 to %c4 step %c1 : i64 {
    %w = tile.window %x[%j, %c0, %c0] dims = [1, 2] : !tile.global<?x8x64xf32> to !tile.window<8x64xf32>
    %row = arith.muli %j, %c4 : i64
    %page = tile.slice %s[%row, %c0] : !tile.shared<32x64xf32, #tile.swizzle<128>> to !tile.shared<8x64xf32, #tile.swizzle<128>>
    tile.copy %w, %page : !tile.window<8x64xf32> to !tile.shared<8x64xf32, #tile.swizzle<128>>
  }
  tile.return
}

// The pages of an outer loop's next iteration fall on those of this one, and so does the same part again.
// CHECK-LABEL: tile.kernel @again
// CHECK: scf.for
// CHECK: scf.for
// CHECK: sm.barrier
// CHECK: tile.copy
// CHECK: scf.for
// CHECK: sm.barrier
// CHECK: tile.copy
tile.kernel @again(%x: !tile.global<?x8x64xf32>) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<32x64xf32, #tile.swizzle<128>>
  %w = tile.window %x[%c0, %c0, %c0] dims = [1, 2] : !tile.global<?x8x64xf32> to !tile.window<8x64xf32>
  scf.for %i = %c0 to %c4 step %c1 : i64 {
    scf.for %j = %c0 to %c4 step %c1 : i64 {
      %row = arith.muli %j, %c8 : i64
      %page = tile.slice %s[%row, %c0] : !tile.shared<32x64xf32, #tile.swizzle<128>> to !tile.shared<8x64xf32, #tile.swizzle<128>>
      tile.copy %w, %page : !tile.window<8x64xf32> to !tile.shared<8x64xf32, #tile.swizzle<128>>
    }
  }
  %t = tile.alloc_shared at 8192 : !tile.shared<32x64xf32, #tile.swizzle<128>>
  %same = tile.slice %t[%c8, %c0] : !tile.shared<32x64xf32, #tile.swizzle<128>> to !tile.shared<8x64xf32, #tile.swizzle<128>>
  scf.for %i = %c0 to %c4 step %c1 : i64 {
    tile.copy %w, %same : !tile.window<8x64xf32> to !tile.shared<8x64xf32, #tile.swizzle<128>>
  }
  tile.return
}

// Static parts are ranges of bytes: rows 0..7 are written while rows 8..15 are read. A part that spans
// slabs has bytes of other rows in between and counts them.
// CHECK-LABEL: tile.kernel @ranges
// CHECK: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @ranges(%f: !tile.global<8x32xf32>) attributes {tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %v = arith.constant dense<1.0> : tensor<8x32xf32, #rows>
  %s = tile.alloc_shared at 0 : !tile.shared<16x32xf32, #tile.swizzle<128>>
  %first = tile.slice %s[%c0, %c0] : !tile.shared<16x32xf32, #tile.swizzle<128>> to !tile.shared<8x32xf32, #tile.swizzle<128>>
  %second = tile.slice %s[%c8, %c0] : !tile.shared<16x32xf32, #tile.swizzle<128>> to !tile.shared<8x32xf32, #tile.swizzle<128>>
  tile.store %v, %first : tensor<8x32xf32, #rows> to !tile.shared<8x32xf32, #tile.swizzle<128>>
  %a = tile.load %second : !tile.shared<8x32xf32, #tile.swizzle<128>> to tensor<8x32xf32, #rows>
  %b = tile.load %first : !tile.shared<8x32xf32, #tile.swizzle<128>> to tensor<8x32xf32, #rows>
  tile.return
}

// RUN: tile-opt %s -tile-allocate-shared | FileCheck %s

// The scratch tile is written and read while nothing else lives: it takes the bytes of the first tile.
// CHECK-LABEL: tile.kernel @reuse
// CHECK-SAME: tile.shared_bytes = 8192
// CHECK: tile.alloc_shared at 0 : <64x64xbf16
// CHECK: tile.alloc_shared at 0 : <64x64xbf16
tile.kernel @reuse(%x: !tile.global<?x64xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %a = tile.alloc_shared : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  tile.copy %w, %a : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16, #tile.swizzle<128>>
  tile.copy %a, %w : !tile.shared<64x64xbf16, #tile.swizzle<128>> to !tile.window<64x64xbf16>
  %b = tile.alloc_shared : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  tile.copy %w, %b : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16, #tile.swizzle<128>>
  tile.copy %b, %w : !tile.shared<64x64xbf16, #tile.swizzle<128>> to !tile.window<64x64xbf16>
  tile.return
}

// Both live at once; the larger comes first, the smaller starts at a multiple of 1024 (a swizzle's
// period) or of 128 bytes.
// CHECK-LABEL: tile.kernel @disjoint
// CHECK-SAME: tile.shared_bytes = 3344
// CHECK: tile.alloc_shared at 3072 : <17x8xbf16>
// CHECK: tile.alloc_shared at 2048 : <8x64xbf16
// CHECK: tile.alloc_shared at 0 : <15x64xbf16
tile.kernel @disjoint(%x: !tile.global<?x64xbf16>, %y: !tile.global<?x8xbf16>, %o: i64) {
  %w8 = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<8x64xbf16>
  %w15 = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<15x64xbf16>
  %w17 = tile.window %y[%o, %o] dims = [0, 1] : !tile.global<?x8xbf16> to !tile.window<17x8xbf16>
  %a = tile.alloc_shared : !tile.shared<17x8xbf16>
  %b = tile.alloc_shared : !tile.shared<8x64xbf16, #tile.swizzle<128>>
  %c = tile.alloc_shared : !tile.shared<15x64xbf16, #tile.swizzle<128>>
  tile.copy %w17, %a : !tile.window<17x8xbf16> to !tile.shared<17x8xbf16>
  tile.copy %w8, %b : !tile.window<8x64xbf16> to !tile.shared<8x64xbf16, #tile.swizzle<128>>
  tile.copy %w15, %c : !tile.window<15x64xbf16> to !tile.shared<15x64xbf16, #tile.swizzle<128>>
  tile.copy %a, %w17 : !tile.shared<17x8xbf16> to !tile.window<17x8xbf16>
  tile.copy %b, %w8 : !tile.shared<8x64xbf16, #tile.swizzle<128>> to !tile.window<8x64xbf16>
  tile.copy %c, %w15 : !tile.shared<15x64xbf16, #tile.swizzle<128>> to !tile.window<15x64xbf16>
  tile.return
}

// Written before it is read in each iteration: does not live across iterations, so the tile of
// the second half may take its bytes. What is read before it is written keeps them all along.
// CHECK-LABEL: tile.kernel @across_iterations
// CHECK-SAME: tile.shared_bytes = 1024
// CHECK: %[[CARRIED:.*]] = tile.alloc_shared at 0
// CHECK: tile.alloc_shared at 512
// CHECK: tile.alloc_shared at 512
tile.kernel @across_iterations(%x: !tile.global<?xf32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %w = tile.window %x[%n] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  %carried = tile.alloc_shared : !tile.shared<128xf32>
  %first = tile.alloc_shared : !tile.shared<128xf32>
  tile.copy %w, %carried : !tile.window<128xf32> to !tile.shared<128xf32>
  scf.for %i = %c0 to %n step %c1 : i64 {
    tile.copy %w, %first : !tile.window<128xf32> to !tile.shared<128xf32>
    tile.copy %first, %w : !tile.shared<128xf32> to !tile.window<128xf32>
    %second = tile.alloc_shared : !tile.shared<128xf32>
    tile.copy %w, %second : !tile.window<128xf32> to !tile.shared<128xf32>
    tile.copy %second, %w : !tile.shared<128xf32> to !tile.window<128xf32>
    tile.copy %carried, %w : !tile.shared<128xf32> to !tile.window<128xf32>
  }
  tile.return
}

// Few and small ones have bytes of their own: who writes the second need not wait for who reads the
// first.
// CHECK-LABEL: tile.kernel @small
// CHECK-SAME: tile.shared_bytes = 256
// CHECK: tile.alloc_shared at 0
// CHECK: tile.alloc_shared at 128
tile.kernel @small(%x: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %x[%o] dims = [0] : !tile.global<?xf32> to !tile.window<32xf32>
  %a = tile.alloc_shared : !tile.shared<32xf32>
  tile.copy %w, %a : !tile.window<32xf32> to !tile.shared<32xf32>
  tile.copy %a, %w : !tile.shared<32xf32> to !tile.window<32xf32>
  %b = tile.alloc_shared : !tile.shared<32xf32>
  tile.copy %w, %b : !tile.window<32xf32> to !tile.shared<32xf32>
  tile.copy %b, %w : !tile.shared<32xf32> to !tile.window<32xf32>
  tile.return
}

// Written on one path only: the old contents live on the other.
// CHECK-LABEL: tile.kernel @branch
// CHECK-SAME: tile.shared_bytes = 512
tile.kernel @branch(%x: !tile.global<?xf32>, %o: i64, %take: i1) {
  %w = tile.window %x[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %a = tile.alloc_shared : !tile.shared<64xf32>
  %b = tile.alloc_shared : !tile.shared<64xf32>
  tile.copy %w, %a : !tile.window<64xf32> to !tile.shared<64xf32>
  tile.copy %w, %b : !tile.window<64xf32> to !tile.shared<64xf32>
  tile.copy %b, %w : !tile.shared<64xf32> to !tile.window<64xf32>
  scf.if %take {
    tile.copy %w, %a : !tile.window<64xf32> to !tile.shared<64xf32>
  }
  tile.copy %a, %w : !tile.shared<64xf32> to !tile.window<64xf32>
  tile.return
}

// All that a block can have.
// CHECK-LABEL: tile.kernel @limit
// CHECK-SAME: tile.shared_bytes = 232448
tile.kernel @limit() {
  %a = tile.alloc_shared : !tile.shared<232448xi8>
  tile.return
}

// CHECK-LABEL: tile.kernel @none
// CHECK-SAME: tile.shared_bytes = 0
tile.kernel @none() {
  tile.return
}

// Slots live as long as the kernel: nothing shares their bytes. The barriers, two per stage, are last.
// CHECK-LABEL: tile.kernel @channels
// CHECK-SAME: tile.shared_bytes = 33840
// CHECK: pipe.channel {barriers = 33792 : i64, offset = 0 : i64} : <{{.*}}, 3>
// CHECK: tile.alloc_shared at 24576 : <64x64xbf16
// CHECK: tile.alloc_shared at 24576 : <64x64xbf16
// CHECK: tile.alloc_shared at 32768 : <8x64xbf16
tile.kernel @channels(%x: !tile.global<?x64xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %v = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<8x64xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
  %c = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %k[%c] bytes 8192 : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
    pipe.load %w, %k[%c] map 0 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
  } consumer {
    %s = pipe.wait %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3> -> !tile.shared<64x64xbf16, #tile.swizzle<128>>
    %a = tile.alloc_shared : !tile.shared<64x64xbf16, #tile.swizzle<128>>
    tile.copy %s, %a : !tile.shared<64x64xbf16, #tile.swizzle<128>> to !tile.shared<64x64xbf16, #tile.swizzle<128>>
    pipe.release %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
    tile.copy %a, %w : !tile.shared<64x64xbf16, #tile.swizzle<128>> to !tile.window<64x64xbf16>
    %b = tile.alloc_shared : !tile.shared<64x64xbf16, #tile.swizzle<128>>
    %d = tile.alloc_shared : !tile.shared<8x64xbf16, #tile.swizzle<128>>
    tile.copy %w, %b : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16, #tile.swizzle<128>>
    tile.copy %v, %d : !tile.window<8x64xbf16> to !tile.shared<8x64xbf16, #tile.swizzle<128>>
    tile.copy %b, %w : !tile.shared<64x64xbf16, #tile.swizzle<128>> to !tile.window<64x64xbf16>
    tile.copy %d, %v : !tile.shared<8x64xbf16, #tile.swizzle<128>> to !tile.window<8x64xbf16>
  }
  tile.return
}

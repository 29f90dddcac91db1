// RUN: tile-opt %s -split-input-file -tile-assign-layouts | FileCheck %s
// RUN: tile-opt %s -split-input-file -tile-assign-layouts -tile-optimize-conversions -tile-materialize-scratch | FileCheck %s --check-prefix=SCRATCH

// Rows are loaded as memory wants it although the two halves of a row meet: 16 bytes of each half a thread.
// CHECK: #[[ROWS:.*]] = #tile.frag<reg = {{\[}}[0, 1], [0, 2], [0, 4]], {{.*}} repeat = {{\[}}[1, 2]
// CHECK-LABEL: tile.kernel @halves
// CHECK-NOT: tile.convert_layout
// CHECK: tile.load {{.*}} tensor<8x256xbf16, #[[ROWS]]>
// CHECK: tile.store {{.*}} tensor<8x256xbf16, #[[ROWS]]>
// SCRATCH-LABEL: tile.kernel @halves
// SCRATCH-NOT: tile.alloc_shared
// SCRATCH: tile.return
tile.kernel @halves(%x: !tile.global<?x256xbf16>, %o: i64) {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%o, %c0] dims = [0, 1] : !tile.global<?x256xbf16> to !tile.window<8x256xbf16>
  %f = tile.load %w : !tile.window<8x256xbf16> to tensor<8x256xbf16>
  %s = tile.split %f axis = 1 : tensor<8x256xbf16> to tensor<8x2x128xbf16>
  %a = tile.take %s axis = 1 at 0 : tensor<8x2x128xbf16> to tensor<8x128xbf16>
  %b = tile.take %s axis = 1 at 1 : tensor<8x2x128xbf16> to tensor<8x128xbf16>
  %t = tile.stack %b, %a axis = 1 : tensor<8x128xbf16> to tensor<8x2x128xbf16>
  %j = tile.join %t axis = 1 : tensor<8x2x128xbf16> to tensor<8x256xbf16>
  tile.store %j, %w : tensor<8x256xbf16> to !tile.window<8x256xbf16>
  tile.return
}

// -----

// Queries and heads packed in the rows of a product: apart, a sum over the heads of a query stays where the
// rows are, and the result has the layout of a slice.
// CHECK-LABEL: tile.kernel @packed_rows
// CHECK-NOT: tile.convert_layout
// CHECK: tile.split {{.*}} to tensor<8x16x64xf32
// CHECK: tile.reduce sum {{.*}} axis = 1
// CHECK-NOT: tile.convert_layout
// CHECK: tile.store
tile.kernel @packed_rows(%out: !tile.global<?x64xf32>, %o: i64) {
  %c0 = arith.constant 0 : i64
  %q = tile.alloc_shared : !tile.shared<128x64xbf16>
  %k = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
  %apart = tile.split %s axis = 0 : tensor<128x64xf32> to tensor<8x16x64xf32>
  %sum = tile.reduce sum %apart axis = 1 : tensor<8x16x64xf32> to tensor<8x64xf32>
  %w = tile.window %out[%o, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<8x64xf32>
  tile.store %sum, %w : tensor<8x64xf32> to !tile.window<8x64xf32>
  tile.return
}

// -----

// 6 does not divide the pattern of the accumulator: the conversion stands in front of the split, and is the
// only one.
// CHECK-LABEL: tile.kernel @across
// CHECK: tile.gemm
// CHECK-NEXT: tile.convert_layout
// CHECK-NEXT: tile.split
// CHECK-NOT: tile.convert_layout
// CHECK: tile.return
// SCRATCH-LABEL: tile.kernel @across
// SCRATCH: tile.gemm
// SCRATCH-NEXT: %[[S:.*]] = tile.alloc_shared
// SCRATCH-NEXT: tile.store %{{.*}}, %[[S]]
tile.kernel @across(%out: !tile.global<?x4x6xf32>, %o: i64) {
  %c0 = arith.constant 0 : i64
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %k = tile.alloc_shared : !tile.shared<24x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x24xf32>
  %s = tile.gemm %q, %k, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<24x64xbf16>, tensor<64x24xf32>
  %apart = tile.split %s axis = 1 : tensor<64x24xf32> to tensor<64x4x6xf32>
  %w = tile.window %out[%o, %c0, %c0] dims = [0, 1, 2] : !tile.global<?x4x6xf32> to !tile.window<64x4x6xf32>
  tile.store %apart, %w : tensor<64x4x6xf32> to !tile.window<64x4x6xf32>
  tile.return
}

// -----

// The rows of a tile and a sum over them that becomes an axis of it again: no order settles both at once,
// so one place converts.
// CHECK-LABEL: tile.kernel @circle
// CHECK: tile.join
// CHECK: tile.return
tile.kernel @circle(%x: !tile.global<?x32xf32>, %o: i64) {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%o, %c0] dims = [0, 1] : !tile.global<?x32xf32> to !tile.window<32x32xf32>
  %f = tile.load %w : !tile.window<32x32xf32> to tensor<32x32xf32>
  %a = tile.split %f axis = 1 : tensor<32x32xf32> to tensor<32x16x2xf32>
  %sum = tile.reduce sum %a axis = 2 : tensor<32x16x2xf32> to tensor<32x16xf32>
  %twice = tile.stack %sum, %sum axis = 2 : tensor<32x16xf32> to tensor<32x16x2xf32>
  %both = arith.addf %twice, %a : tensor<32x16x2xf32>
  %j = tile.join %both axis = 1 : tensor<32x16x2xf32> to tensor<32x32xf32>
  tile.store %j, %w : tensor<32x32xf32> to !tile.window<32x32xf32>
  tile.return
}

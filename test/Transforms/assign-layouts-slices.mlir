// RUN: tile-opt %s -split-input-file -tile-assign-layouts -verify-diagnostics | FileCheck %s

// Columns of an operand stored with the contracted axis first are whole slabs of the swizzle: parts that
// start at multiples of 32 columns leave 64 bytes.
// CHECK-LABEL: tile.kernel @columns
// CHECK: tile.alloc_shared : <64x128xbf16, #tile.swizzle<64>>
// CHECK: tile.slice {{.*}} : <64x128xbf16, #tile.swizzle<64>> to <64x64xbf16, #tile.swizzle<64>>
tile.kernel @columns(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c32 = arith.constant 32 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.alloc_shared : !tile.shared<64x64xbf16>
  %b = tile.alloc_shared : !tile.shared<64x128xbf16>
  %start = arith.muli %n, %c32 : i64
  %part = tile.slice %b[%c0, %start] : !tile.shared<64x128xbf16> to !tile.shared<64x64xbf16>
  %c = tile.gemm %a, %part, %zero : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
  tile.return
}

// -----

tile.kernel @odd_rows(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.alloc_shared : !tile.shared<64x64xbf16>
  %b = tile.alloc_shared : !tile.shared<128x64xbf16>
  %start = arith.muli %n, %c4 : i64
  // expected-note @below {{the part}}
  %part = tile.slice %b[%start, %c0] : !tile.shared<128x64xbf16> to !tile.shared<64x64xbf16>
  // expected-error @below {{the second operand is a part of a shared tile that has to start at a multiple of 8 rows of it, but is only known to start at a multiple of 4; start it at a multiple of a constant, or copy it into a tile of its own}}
  %c = tile.gemm %a, %part, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
  tile.return
}

// -----

tile.kernel @odd_depth(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.alloc_shared : !tile.shared<64x128xbf16>
  %b = tile.alloc_shared : !tile.shared<64x64xbf16>
  // expected-note @below {{the part}}
  %part = tile.slice %a[%c0, %c8] : !tile.shared<64x128xbf16> to !tile.shared<64x64xbf16>
  // expected-error @below {{the first operand is a part of a shared tile that has to start at a multiple of 32 bytes of a row of it, but is only known to start at a multiple of 16}}
  %c = tile.gemm %part, %b, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
  tile.return
}

// -----

// mma.sync reads rows wherever they are, in pieces of 16 bytes.
tile.kernel @odd_piece(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %c5 = arith.constant 5 : i64
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a = tile.alloc_shared : !tile.shared<40x128xbf16>
  %b = tile.alloc_shared : !tile.shared<64x64xbf16>
  %good = tile.slice %a[%c5, %c0] : !tile.shared<40x128xbf16> to !tile.shared<16x64xbf16>
  %c = tile.gemm %good, %b, %zero {transpose_b} : !tile.shared<16x64xbf16>, !tile.shared<64x64xbf16>, tensor<16x64xf32>
  // expected-note @below {{the part}}
  %part = tile.slice %a[%c5, %c4] : !tile.shared<40x128xbf16> to !tile.shared<16x64xbf16>
  // expected-error @below {{has to start at a multiple of 16 bytes of a row of it, but is only known to start at a multiple of 8}}
  %d = tile.gemm %part, %b, %zero {transpose_b} : !tile.shared<16x64xbf16>, !tile.shared<64x64xbf16>, tensor<16x64xf32>
  tile.return
}

// -----

// The part has the swizzle of the whole, whatever is done with it.
// CHECK-LABEL: tile.kernel @gathered
// CHECK: %[[PART:.*]] = tile.slice {{.*}} to <32x64xf32, #tile.swizzle<128>>
// CHECK: tile.gather %[[PART]]
// CHECK: tile.atomic add {{.*}}, %[[PART]]
tile.kernel @gathered(%n: i64) {
  %c0 = arith.constant 0 : i64
  %s = tile.alloc_shared : !tile.shared<64x64xf32>
  %index = arith.constant dense<1> : tensor<16xi32>
  %part = tile.slice %s[%n, %c0] : !tile.shared<64x64xf32> to !tile.shared<32x64xf32>
  %rows = tile.gather %part[%index] axis = 0 : !tile.shared<32x64xf32>, tensor<16xi32> to tensor<16x64xf32>
  tile.atomic add %rows, %part[%index : tensor<16xi32>] axis = 0 : tensor<16x64xf32> to !tile.shared<32x64xf32>
  tile.return
}

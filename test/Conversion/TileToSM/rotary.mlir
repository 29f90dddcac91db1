// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -tile-materialize-scratch -tile-allocate-shared -tile-insert-barriers-and-fences -convert-tile-to-sm | FileCheck %s
// RUN: tile-opt %s -tile-assign-layouts | FileCheck %s --check-prefix=LAYOUT

// Both pairings of a rotary embedding of an accumulator, which is then the first operand of a product:
// nothing leaves its thread, and nothing is converted.
// LAYOUT-NOT: tile.convert_layout

// Pairs of neighbours: bit 0 of the register.
// CHECK-LABEL: func.func @interleaved
// CHECK-NOT: sm.shuffle
// CHECK-NOT: sm.store_shared
// CHECK-NOT: sm.load_shared
// CHECK: sm.wgmma {{.*}} vector<64xf32>
// CHECK-NOT: sm.shuffle
// CHECK-NOT: sm.store_shared
// CHECK-NOT: sm.load_shared
// CHECK: sm.wgmma {{.*}} vector<64xf32>
// CHECK-NOT: sm.shuffle
// CHECK-NOT: sm.store_shared
// CHECK: return
tile.kernel @interleaved(%cos: !tile.global<?x64xf32>, %sin: !tile.global<?x64xf32>, %out: !tile.global<?x128xf32>, %s: i64) {
  %c0 = arith.constant 0 : i64
  %x = tile.alloc_shared : !tile.shared<128x64xbf16>
  %w = tile.alloc_shared : !tile.shared<64x128xbf16>
  %v = tile.alloc_shared : !tile.shared<128x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %q = tile.gemm %x, %w, %zero : !tile.shared<128x64xbf16>, !tile.shared<64x128xbf16>, tensor<128x128xf32>
  %apart = tile.split %q axis = 1 : tensor<128x128xf32> to tensor<128x64x2xf32>
  %a = tile.take %apart axis = 2 at 0 : tensor<128x64x2xf32> to tensor<128x64xf32>
  %b = tile.take %apart axis = 2 at 1 : tensor<128x64x2xf32> to tensor<128x64xf32>
  %wc = tile.window %cos[%s, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<128x64xf32>
  %ws = tile.window %sin[%s, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<128x64xf32>
  %cosine = tile.load %wc : !tile.window<128x64xf32> to tensor<128x64xf32>
  %sine = tile.load %ws : !tile.window<128x64xf32> to tensor<128x64xf32>
  %ac = arith.mulf %a, %cosine : tensor<128x64xf32>
  %bs = arith.mulf %b, %sine : tensor<128x64xf32>
  %first = arith.subf %ac, %bs : tensor<128x64xf32>
  %bc = arith.mulf %b, %cosine : tensor<128x64xf32>
  %as = arith.mulf %a, %sine : tensor<128x64xf32>
  %second = arith.addf %bc, %as : tensor<128x64xf32>
  %turned = tile.stack %first, %second axis = 2 : tensor<128x64xf32> to tensor<128x64x2xf32>
  %rows = tile.join %turned axis = 1 : tensor<128x64x2xf32> to tensor<128x128xf32>
  %narrow = arith.truncf %rows : tensor<128x128xf32> to tensor<128x128xbf16>
  %o = tile.gemm %narrow, %v, %zero : tensor<128x128xbf16>, !tile.shared<128x128xbf16>, tensor<128x128xf32>
  %wo = tile.window %out[%s, %c0] dims = [0, 1] : !tile.global<?x128xf32> to !tile.window<128x128xf32>
  tile.store %o, %wo : tensor<128x128xf32> to !tile.window<128x128xf32>
  tile.return
}

// Pairs of the two halves: half of the repetitions.
// CHECK-LABEL: func.func @halves
// CHECK-NOT: sm.shuffle
// CHECK-NOT: sm.store_shared
// CHECK-NOT: sm.load_shared
// CHECK: sm.wgmma {{.*}} vector<64xf32>
// CHECK-NOT: sm.shuffle
// CHECK-NOT: sm.store_shared
// CHECK-NOT: sm.load_shared
// CHECK: sm.wgmma {{.*}} vector<64xf32>
// CHECK-NOT: sm.shuffle
// CHECK-NOT: sm.store_shared
// CHECK: return
tile.kernel @halves(%cos: !tile.global<?x64xf32>, %sin: !tile.global<?x64xf32>, %out: !tile.global<?x128xf32>, %s: i64) {
  %c0 = arith.constant 0 : i64
  %x = tile.alloc_shared : !tile.shared<128x64xbf16>
  %w = tile.alloc_shared : !tile.shared<64x128xbf16>
  %v = tile.alloc_shared : !tile.shared<128x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %q = tile.gemm %x, %w, %zero : !tile.shared<128x64xbf16>, !tile.shared<64x128xbf16>, tensor<128x128xf32>
  %apart = tile.split %q axis = 1 : tensor<128x128xf32> to tensor<128x2x64xf32>
  %a = tile.take %apart axis = 1 at 0 : tensor<128x2x64xf32> to tensor<128x64xf32>
  %b = tile.take %apart axis = 1 at 1 : tensor<128x2x64xf32> to tensor<128x64xf32>
  %wc = tile.window %cos[%s, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<128x64xf32>
  %ws = tile.window %sin[%s, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<128x64xf32>
  %cosine = tile.load %wc : !tile.window<128x64xf32> to tensor<128x64xf32>
  %sine = tile.load %ws : !tile.window<128x64xf32> to tensor<128x64xf32>
  %ac = arith.mulf %a, %cosine : tensor<128x64xf32>
  %bs = arith.mulf %b, %sine : tensor<128x64xf32>
  %first = arith.subf %ac, %bs : tensor<128x64xf32>
  %bc = arith.mulf %b, %cosine : tensor<128x64xf32>
  %as = arith.mulf %a, %sine : tensor<128x64xf32>
  %second = arith.addf %bc, %as : tensor<128x64xf32>
  %turned = tile.stack %first, %second axis = 1 : tensor<128x64xf32> to tensor<128x2x64xf32>
  %rows = tile.join %turned axis = 1 : tensor<128x2x64xf32> to tensor<128x128xf32>
  %narrow = arith.truncf %rows : tensor<128x128xf32> to tensor<128x128xbf16>
  %o = tile.gemm %narrow, %v, %zero : tensor<128x128xbf16>, !tile.shared<128x128xbf16>, tensor<128x128xf32>
  %wo = tile.window %out[%s, %c0] dims = [0, 1] : !tile.global<?x128xf32> to !tile.window<128x128xf32>
  tile.store %o, %wo : tensor<128x128xf32> to !tile.window<128x128xf32>
  tile.return
}

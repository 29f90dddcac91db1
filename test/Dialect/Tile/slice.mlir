// RUN: tile-opt %s | tile-opt | FileCheck %s

// Narrower than the swizzle of its tile, whose rows say where the part lies.
// CHECK-LABEL: tile.kernel @narrow
tile.kernel @narrow(%at: i64) {
  %keys = tile.alloc_shared : !tile.shared<128x64xbf16, #tile.swizzle<128>>
  // CHECK: tile.slice %{{.*}}[%{{.*}}, %{{.*}}] : <128x64xbf16, #tile.swizzle<128>> to <128x16xbf16, #tile.swizzle<128>>
  %part = tile.slice %keys[%at, %at] : !tile.shared<128x64xbf16, #tile.swizzle<128>> to !tile.shared<128x16xbf16, #tile.swizzle<128>>
  %f = tile.load %part : !tile.shared<128x16xbf16, #tile.swizzle<128>> to tensor<128x16xbf16>
  tile.return
}

// Parts of a shared tile are shared tiles: targets of copies, sources of loads, operands of products.
// CHECK-LABEL: tile.kernel @pages
tile.kernel @pages(%x: !tile.global<?x64xbf16>, %row: i64) {
  %zero = arith.constant 0 : i64
  %keys = tile.alloc_shared : !tile.shared<128x64xbf16>
  // CHECK: tile.slice %{{.*}}[%{{.*}}, %{{.*}}] : <128x64xbf16> to <32x64xbf16>
  %page = tile.slice %keys[%row, %zero] : !tile.shared<128x64xbf16> to !tile.shared<32x64xbf16>
  %w = tile.window %x[%row, %zero] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  tile.copy %w, %page : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
  // CHECK: tile.load %{{.*}} : !tile.shared<32x64xbf16> to tensor<32x64xbf16>
  %f = tile.load %page : !tile.shared<32x64xbf16> to tensor<32x64xbf16>
  tile.store %f, %w : tensor<32x64xbf16> to !tile.window<32x64xbf16>
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @copies
tile.kernel @copies(%x: !tile.global<?x64xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // CHECK: %[[A:.*]] = tile.alloc_shared : <32x64xbf16>
  %a = tile.alloc_shared : !tile.shared<32x64xbf16>
  // CHECK: %[[B:.*]] = tile.alloc_shared at 4096 : <32x64xbf16, #tile.swizzle<128>>
  %b = tile.alloc_shared at 4096 : !tile.shared<32x64xbf16, #tile.swizzle<128>>
  // CHECK: tile.copy %{{.*}}, %[[A]] : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
  tile.copy %w, %a : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
  // CHECK: tile.copy %{{.*}}, %[[B]] pad -1.000000e+00 : bf16
  tile.copy %w, %b pad -1.0 : bf16 : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16, #tile.swizzle<128>>
  // CHECK: tile.copy %[[A]], %[[B]]
  tile.copy %a, %b : !tile.shared<32x64xbf16> to !tile.shared<32x64xbf16, #tile.swizzle<128>>
  // CHECK: tile.copy %[[A]], %{{.*}} : !tile.shared<32x64xbf16> to !tile.window<32x64xbf16>
  tile.copy %a, %w : !tile.shared<32x64xbf16> to !tile.window<32x64xbf16>
  tile.return
}

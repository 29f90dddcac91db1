// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @windows
tile.kernel @windows(%x: !tile.global<?x?x64xf16>, %row: i64, %zero: i64, %len: i64) {
  // CHECK: tile.window %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims = [1, 2] upto[%{{.*}}, %{{.*}}] : <?x?x64xf16> to <32x64xf16>
  %rows = tile.window %x[%zero, %row, %zero] dims = [1, 2] upto [%len, %len] : !tile.global<?x?x64xf16> to !tile.window<32x64xf16>
  // The axes of a window come in any order: this one is transposed.
  // CHECK: tile.window %{{.*}} dims = [2, 1] : <?x?x64xf16> to <64x32xf16>
  %columns = tile.window %x[%zero, %row, %zero] dims = [2, 1] : !tile.global<?x?x64xf16> to !tile.window<64x32xf16>
  tile.return
}

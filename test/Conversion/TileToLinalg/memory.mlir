// RUN: tile-opt --convert-tile-to-linalg --cse %s | FileCheck %s

// A window is filled with the pad unless all of it is there, then its box is copied.
// CHECK-LABEL: func.func private @copy_in(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: memref<?x?xbf16, strided<[?, 1]>>
tile.kernel @copy_in(%x: !tile.global<?x?xbf16>, %row: i64, %limit: i64) {
  %c0 = arith.constant 0 : i64
  // CHECK: %[[S:[a-z0-9_]+]] = memref.alloc() {alignment = 64 : i64} : memref<4x8xbf16>
  %s = tile.alloc_shared : !tile.shared<4x8xbf16>
  %w = tile.window %x[%row, %c0] dims = [0, 1] upto [%limit, %limit] : !tile.global<?x?xbf16> to !tile.window<4x8xbf16>
  // CHECK: %[[PAD:[a-z0-9_]+]] = arith.constant 1.000000e+00 : bf16
  // CHECK: %[[PARTIAL:[a-z0-9_]+]] = arith.xori
  // CHECK: scf.if %[[PARTIAL]] {
  // CHECK-NEXT: linalg.fill ins(%[[PAD]] : bf16) outs(%[[S]] : memref<4x8xbf16>)
  // CHECK: scf.for %[[I:[a-z0-9_]+]] =
  // CHECK: scf.for %[[J:[a-z0-9_]+]] =
  // CHECK: %[[V:[a-z0-9_]+]] = memref.load %[[X]]
  // CHECK: memref.store %[[V]], %[[S]][%[[I]], %[[J]]]
  tile.copy %w, %s pad 1.0 : bf16 : !tile.window<4x8xbf16> to !tile.shared<4x8xbf16>
  tile.return
}

// The order of the window's axes is the order of the loops; a fixed dimension empties the box.
// CHECK-LABEL: func.func private @transposed(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: memref<3x5x7xf32, strided<[?, ?, 1]>>, %[[A:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: i64, %[[C:[a-z0-9]+]]: i64
tile.kernel @transposed(%x: !tile.global<3x5x7xf32>, %a: i64, %b: i64, %c: i64) {
  // CHECK-DAG: %[[C5:[a-z0-9_]+]] = arith.constant 5 : i64
  // CHECK: %[[IN:[a-z0-9_]+]] = arith.cmpi ult, %[[B]], %[[C5]] : i64
  // CHECK: %[[END:[a-z0-9_]+]] = arith.select %[[IN]]
  %w = tile.window %x[%a, %b, %c] dims = [2, 0] : !tile.global<3x5x7xf32> to !tile.window<2x4xf32>
  // CHECK: scf.for %[[I:[a-z0-9_]+]] = %{{.*}} to %[[END]]
  // CHECK: scf.for %[[J:[a-z0-9_]+]] =
  // CHECK-DAG: %[[AI:[a-z0-9_]+]] = arith.index_cast %[[A]]
  // CHECK-DAG: %[[BI:[a-z0-9_]+]] = arith.index_cast %[[B]]
  // CHECK-DAG: %[[CI:[a-z0-9_]+]] = arith.index_cast %[[C]]
  // CHECK-DAG: %[[LAST:[a-z0-9_]+]] = arith.addi %[[CI]], %[[I]]
  // CHECK-DAG: %[[FIRST:[a-z0-9_]+]] = arith.addi %[[AI]], %[[J]]
  // CHECK: memref.load %[[X]][%[[FIRST]], %[[BI]], %[[LAST]]]
  %t = tile.load %w : !tile.window<2x4xf32> to tensor<2x4xf32>
  tile.store %t, %w : tensor<2x4xf32> to !tile.window<2x4xf32>
  tile.return
}

// A load owns a copy: the later copy into the tile does not reach it.
// CHECK-LABEL: func.func private @load_then_overwrite(
tile.kernel @load_then_overwrite() {
  // CHECK: %[[S:[a-z0-9_]+]] = memref.alloc
  // CHECK: %[[R:[a-z0-9_]+]] = memref.alloc
  %s = tile.alloc_shared : !tile.shared<8xf32>
  %r = tile.alloc_shared : !tile.shared<8xf32>
  // CHECK: %[[FRESH:[a-z0-9_]+]] = memref.alloc
  // CHECK-NEXT: memref.copy %[[S]], %[[FRESH]]
  // CHECK-NEXT: %[[T:[a-z0-9_]+]] = bufferization.to_tensor %[[FRESH]] restrict writable
  %t = tile.load %s : !tile.shared<8xf32> to tensor<8xf32>
  // CHECK-NEXT: memref.copy %[[R]], %[[S]]
  tile.copy %r, %s : !tile.shared<8xf32> to !tile.shared<8xf32>
  // CHECK: tensor.extract %[[T]]
  // CHECK-NEXT: memref.store %{{.*}}, %[[R]]
  tile.store %t, %r : tensor<8xf32> to !tile.shared<8xf32>
  tile.return
}

// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// RUN: tile-opt %s -canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: tile.kernel @positions
tile.kernel @positions(%x: !tile.global<?x32xf32>, %scale: f32, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x32xf32> to !tile.window<16x32xf32>
  // CHECK: %[[I:.*]] = tile.iota : tensor<16xi32>
  %i = tile.iota : tensor<16xi32>
  // CHECK: tile.broadcast %[[I]] dims = [0] : tensor<16xi32> to tensor<16x32xi32>
  %b = tile.broadcast %i dims = [0] : tensor<16xi32> to tensor<16x32xi32>
  %f = arith.sitofp %b : tensor<16x32xi32> to tensor<16x32xf32>
  // CHECK: tile.broadcast %{{.*}} dims = [] : f32 to tensor<16x32xf32>
  %s = tile.broadcast %scale dims = [] : f32 to tensor<16x32xf32>
  %r = arith.mulf %f, %s : tensor<16x32xf32>
  // CHECK: tile.reduce max %{{.*}} axis = 1 : tensor<16x32xf32> to tensor<16xf32>
  %m = tile.reduce max %r axis = 1 : tensor<16x32xf32> to tensor<16xf32>
  // CHECK: tile.reduce sum %{{.*}} axis = 0 : tensor<16xf32> to f32
  %t = tile.reduce sum %m axis = 0 : tensor<16xf32> to f32
  tile.store_scalar %t, %x[%o, %o] : f32 to !tile.global<?x32xf32>
  tile.return
}

// A broadcast of a constant is a constant; one that changes nothing vanishes.
// FOLD-LABEL: tile.kernel @folds
// FOLD: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<8x4xf32>
// FOLD: %[[L:.*]] = tile.load
// FOLD-NOT: tile.broadcast
// FOLD: arith.addf %[[L]], %[[C]]
tile.kernel @folds(%x: !tile.global<?x4xf32>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x4xf32> to !tile.window<8x4xf32>
  %c = arith.constant dense<2.0> : tensor<8xf32>
  %b = tile.broadcast %c dims = [0] : tensor<8xf32> to tensor<8x4xf32>
  %l = tile.load %w : !tile.window<8x4xf32> to tensor<8x4xf32>
  %same = tile.broadcast %l dims = [0, 1] : tensor<8x4xf32> to tensor<8x4xf32>
  %sum = arith.addf %same, %b : tensor<8x4xf32>
  tile.store %sum, %w : tensor<8x4xf32> to !tile.window<8x4xf32>
  tile.return
}

// RUN: tile-opt %s -tile-legalize-math | FileCheck %s

// CHECK-LABEL: tile.kernel @argmax
// CHECK: %[[M:.*]] = tile.reduce max %[[X:.*]] axis = 1 : tensor<8x64xf32> to tensor<8xf32>
// CHECK: %[[SPREAD:.*]] = tile.broadcast %[[M]] dims = [0]
// CHECK: %[[EQ:.*]] = arith.cmpf oeq, %[[X]], %[[SPREAD]]
// CHECK: %[[I:.*]] = tile.iota : tensor<64xi32>
// CHECK: %[[AT:.*]] = tile.broadcast %[[I]] dims = [1]
// CHECK: %[[C:.*]] = arith.select %[[EQ]], %[[AT]], %{{.*}}
// CHECK: %[[LEAST:.*]] = tile.reduce min %[[C]] axis = 1 : tensor<8x64xi32> to tensor<8xi32>
// Only NaN:
// CHECK: arith.cmpi eq, %[[LEAST]]
// CHECK: arith.select
// CHECK-NOT: argmax
tile.kernel @argmax(%x: !tile.global<8x64xf32>, %y: !tile.global<8xi32>) {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<8x64xf32> to !tile.window<8x64xf32>
  %v = tile.window %y[%zero] dims = [0] : !tile.global<8xi32> to !tile.window<8xi32>
  %a = tile.load %w : !tile.window<8x64xf32> to tensor<8x64xf32>
  %i = tile.reduce argmax %a axis = 1 : tensor<8x64xf32> to tensor<8xi32>
  tile.store %i, %v : tensor<8xi32> to !tile.window<8xi32>
  tile.return
}

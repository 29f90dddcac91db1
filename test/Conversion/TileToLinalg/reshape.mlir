// RUN: tile-opt %s -convert-tile-to-linalg | FileCheck %s

// CHECK-LABEL: func.func private @axes
// CHECK: %[[X:.*]] = bufferization.to_tensor
// CHECK: %[[S:.*]] = tensor.expand_shape %[[X]] {{\[}}[0], [1, 2]] {{.*}} : tensor<4x8xf32> into tensor<4x4x2xf32>
// CHECK: %[[A:.*]] = tensor.extract_slice %[[S]][0, 0, 1] [4, 4, 1] [1, 1, 1] : tensor<4x4x2xf32> to tensor<4x4xf32>
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<4x4xf32>)
// CHECK: %[[I:.*]] = tensor.insert_slice %[[A]] into %{{.*}}[0, 0, 0] [4, 1, 4] [1, 1, 1]
// CHECK: %[[T:.*]] = tensor.insert_slice %[[P]] into %[[I]][0, 1, 0] [4, 1, 4] [1, 1, 1]
// CHECK: tensor.collapse_shape %[[T]] {{\[}}[0], [1, 2]] : tensor<4x2x4xf32> into tensor<4x8xf32>
tile.kernel @axes(%x: !tile.global<4x8xf32>) attributes {tile.launch = {dims = []}} {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<4x8xf32> to !tile.window<4x8xf32>
  %f = tile.load %w : !tile.window<4x8xf32> to tensor<4x8xf32>
  %s = tile.split %f axis = 1 : tensor<4x8xf32> to tensor<4x4x2xf32>
  %a = tile.take %s axis = 2 at 1 : tensor<4x4x2xf32> to tensor<4x4xf32>
  %p = tile.permute %a dims = [1, 0] : tensor<4x4xf32> to tensor<4x4xf32>
  %t = tile.stack %a, %p axis = 1 : tensor<4x4xf32> to tensor<4x2x4xf32>
  %j = tile.join %t axis = 1 : tensor<4x2x4xf32> to tensor<4x8xf32>
  tile.store %j, %w : tensor<4x8xf32> to !tile.window<4x8xf32>
  tile.return
}

// A part is a view; rows of a product axis are counted along the window's axes.
// CHECK-LABEL: func.func private @parts
// CHECK: %[[TILE:.*]] = memref.alloc() {{.*}} : memref<16x8xf32>
// CHECK: %[[PART:.*]] = memref.subview %[[TILE]][%{{.*}}, %{{.*}}] [8, 8] [1, 1]
// CHECK: memref.expand_shape %[[PART]] {{\[}}[0, 1], [2]] output_shape [2, 4, 8]
tile.kernel @parts(%x: !tile.global<?x4x8xf32>, %o: i64) attributes {tile.launch = {dims = []}} {
  %c0 = arith.constant 0 : i64
  %s = tile.alloc_shared : !tile.shared<16x8xf32>
  %p = tile.slice %s[%o, %c0] : !tile.shared<16x8xf32> to !tile.shared<8x8xf32>
  %w = tile.window %x[%o, %c0, %c0] dims = [0, 1, 2] : !tile.global<?x4x8xf32> to !tile.window<2x4x8xf32>
  tile.copy %w, %p : !tile.window<2x4x8xf32> to !tile.shared<8x8xf32>
  tile.return
}

// One matrix of several: a view that lacks the first axis.
// CHECK-LABEL: func.func private @matrix_of_a_tile
// CHECK: %[[TILE:.*]] = memref.alloc() {{.*}} : memref<2x8x4xf32>
// CHECK: memref.subview %[[TILE]][%{{.*}}, %{{.*}}, %{{.*}}] [1, 8, 4] [1, 1, 1] : memref<2x8x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
tile.kernel @matrix_of_a_tile(%x: !tile.global<?x4xf32>, %o: i64) attributes {tile.launch = {dims = []}} {
  %c0 = arith.constant 0 : i64
  %s = tile.alloc_shared : !tile.shared<2x8x4xf32>
  %p = tile.slice %s[%o, %c0, %c0] : !tile.shared<2x8x4xf32> to !tile.shared<8x4xf32>
  %w = tile.window %x[%o, %c0] dims = [0, 1] : !tile.global<?x4xf32> to !tile.window<8x4xf32>
  tile.copy %w, %p : !tile.window<8x4xf32> to !tile.shared<8x4xf32>
  tile.return
}

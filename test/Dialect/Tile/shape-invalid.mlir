// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @iota() {
  // expected-error @below {{expected a result of rank 1 and type i32, found 'tensor<4x4xi32>'}}
  %i = tile.iota : tensor<4x4xi32>
  tile.return
}

// -----

tile.kernel @broadcast_extent(%x: f32) {
  %c = arith.constant dense<2.0> : tensor<8xf32>
  // expected-error @below {{axis 0 of the source has extent 8, axis 1 of the result 4}}
  %b = tile.broadcast %c dims = [1] : tensor<8xf32> to tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @broadcast_order() {
  %c = arith.constant dense<2.0> : tensor<8x4xf32>
  // expected-error @below {{expected 'dims' to ascend and stay below 2, found 0}}
  %b = tile.broadcast %c dims = [1, 0] : tensor<8x4xf32> to tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @broadcast_element(%x: f32) {
  // expected-error @below {{expected a result of 'f32', found 'f16'}}
  %b = tile.broadcast %x dims = [] : f32 to tensor<8xf16>
  tile.return
}

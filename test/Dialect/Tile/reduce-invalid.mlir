// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @axis() {
  %c = arith.constant dense<2.0> : tensor<8x4xf32>
  // expected-error @below {{expected an axis below 2, found 2}}
  %r = tile.reduce sum %c axis = 2 : tensor<8x4xf32> to tensor<8xf32>
  tile.return
}

// -----

tile.kernel @shape() {
  %c = arith.constant dense<2.0> : tensor<8x4xf32>
  // expected-error @below {{expected the result to lack axis 0 of 'tensor<8x4xf32>' and to have elements of 'f32', found 'tensor<8xf32>'}}
  %r = tile.reduce sum %c axis = 0 : tensor<8x4xf32> to tensor<8xf32>
  tile.return
}

// -----

tile.kernel @any() {
  %c = arith.constant dense<2.0> : tensor<8xf32>
  // expected-error @below {{any reduces i1, found 'f32'}}
  %r = tile.reduce any %c axis = 0 : tensor<8xf32> to f32
  tile.return
}

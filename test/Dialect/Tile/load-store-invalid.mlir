// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @load_shape(%x: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %x[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  // expected-error @below {{expected the same shape and element type on both sides, found '!tile.window<64xf32>' and 'tensor<32xf32>'}}
  %f = tile.load %w : !tile.window<64xf32> to tensor<32xf32>
  tile.return
}

// -----

tile.kernel @store_element(%x: !tile.global<?xf16>, %o: i64) {
  %w = tile.window %x[%o] dims = [0] : !tile.global<?xf16> to !tile.window<64xf16>
  %f = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expected the same shape and element type on both sides, found 'tensor<64xf32>' and '!tile.window<64xf16>'}}
  tile.store %f, %w : tensor<64xf32> to !tile.window<64xf16>
  tile.return
}

// -----

tile.kernel @indices(%x: !tile.global<?x4xf32>, %o: i64) {
  // expected-error @below {{expected one index per dimension of the tensor (2), found 1}}
  %e = tile.load_scalar %x[%o] : !tile.global<?x4xf32> to f32
  tile.return
}

// -----

tile.kernel @element(%x: !tile.global<?xf32>, %o: i64) {
  %e = arith.constant 1 : i32
  // expected-error @below {{expected an element of type 'f32', found 'i32'}}
  tile.store_scalar %e, %x[%o] : i32 to !tile.global<?xf32>
  tile.return
}

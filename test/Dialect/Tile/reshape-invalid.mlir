// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @split_extent() {
  %x = arith.constant dense<1.0> : tensor<8x12xf32>
  // expected-error @below {{expected axis 1 of 'tensor<8x12xf32>' to be the product of axes 1 and 2 of the other side, found 'tensor<8x5x2xf32>'}}
  %y = tile.split %x axis = 1 : tensor<8x12xf32> to tensor<8x5x2xf32>
  tile.return
}

// -----

tile.kernel @split_axis() {
  %x = arith.constant dense<1.0> : tensor<8x12xf32>
  // expected-error @below {{expected an axis below 2, found 2}}
  %y = tile.split %x axis = 2 : tensor<8x12xf32> to tensor<8x6x2xf32>
  tile.return
}

// -----

tile.kernel @join_order() {
  %x = arith.constant dense<1.0> : tensor<8x6x2xf32>
  // expected-error @below {{expected axis 0 of 'tensor<8x12xf32>' to be the product of axes 0 and 1 of the other side, found 'tensor<8x6x2xf32>'}}
  %y = tile.join %x axis = 0 : tensor<8x6x2xf32> to tensor<8x12xf32>
  tile.return
}

// -----

tile.kernel @permute_twice() {
  %x = arith.constant dense<1.0> : tensor<8x8x2xf32>
  // expected-error @below {{expected 'dims' and the result to have the 3 axes of the source, each once}}
  %y = tile.permute %x dims = [0, 0, 2] : tensor<8x8x2xf32> to tensor<8x8x2xf32>
  tile.return
}

// -----

tile.kernel @permute_extent() {
  %x = arith.constant dense<1.0> : tensor<8x4xf32>
  // expected-error @below {{expected axis 0 of the result to have 4 elements, found 8}}
  %y = tile.permute %x dims = [1, 0] : tensor<8x4xf32> to tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @take_position() {
  %x = arith.constant dense<1.0> : tensor<8x2xf32>
  // expected-error @below {{expected a position below 2, found 2}}
  %y = tile.take %x axis = 1 at 2 : tensor<8x2xf32> to tensor<8xf32>
  tile.return
}

// -----

tile.kernel @take_type() {
  %x = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error @below {{expected 'f16' to be 'tensor<8xf32>' without axis 0}}
  %y = tile.take %x axis = 0 at 2 : tensor<8xf32> to f16
  tile.return
}

// -----

tile.kernel @stack_count() {
  %x = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error @below {{expected one source for each of the 3 positions of axis 0, found 2}}
  %y = tile.stack %x, %x axis = 0 : tensor<8xf32> to tensor<3x8xf32>
  tile.return
}

// -----

tile.kernel @slice_extent(%o: i64) {
  %s = tile.alloc_shared : !tile.shared<16x64xbf16>
  // expected-error @below {{axis 0 of the tile has 16 elements, the slice 32}}
  %t = tile.slice %s[%o, %o] : !tile.shared<16x64xbf16> to !tile.shared<32x64xbf16>
  tile.return
}

// -----

tile.kernel @slice_offsets(%o: i64) {
  %s = tile.alloc_shared : !tile.shared<16x64xbf16>
  // expected-error @below {{expected offsets for the 2 axes of the tile and a result of no more axes, found 2 axes and 1 offsets}}
  %t = tile.slice %s[%o] : !tile.shared<16x64xbf16> to !tile.shared<8x64xbf16>
  tile.return
}

// -----

tile.kernel @copied_rows(%x: !tile.global<?x16x64xbf16>, %o: i64) {
  %s = tile.alloc_shared : !tile.shared<64x64xbf16>
  %w = tile.window %x[%o, %o, %o] dims = [0, 1, 2] : !tile.global<?x16x64xbf16> to !tile.window<3x16x64xbf16>
  // expected-error @below {{expected the same shape and element type on both sides}}
  tile.copy %w, %s : !tile.window<3x16x64xbf16> to !tile.shared<64x64xbf16>
  tile.return
}

// -----

// The last axis is where a swizzle cuts rows: it is never put together.
tile.kernel @copied_columns(%x: !tile.global<?x16x4xbf16>, %o: i64) {
  %s = tile.alloc_shared : !tile.shared<8x64xbf16>
  %w = tile.window %x[%o, %o, %o] dims = [0, 1, 2] : !tile.global<?x16x4xbf16> to !tile.window<8x16x4xbf16>
  // expected-error @below {{expected the same shape and element type on both sides}}
  tile.copy %w, %s : !tile.window<8x16x4xbf16> to !tile.shared<8x64xbf16>
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @offsets(%x: !tile.global<?x?xf32>, %o: i64) {
  // expected-error @below {{expected one offset per dimension of the tensor (2), found 1}}
  %w = tile.window %x[%o] dims = [1] : !tile.global<?x?xf32> to !tile.window<8xf32>
  tile.return
}

// -----

tile.kernel @dims(%x: !tile.global<?x?xf32>, %o: i64) {
  // expected-error @below {{expected one entry of 'dims' per axis of the window (2), found 1}}
  %w = tile.window %x[%o, %o] dims = [1] : !tile.global<?x?xf32> to !tile.window<8x8xf32>
  tile.return
}

// -----

tile.kernel @twice(%x: !tile.global<?x?xf32>, %o: i64) {
  // expected-error @below {{expected 'dims' to name distinct dimensions below 2, found 1}}
  %w = tile.window %x[%o, %o] dims = [1, 1] : !tile.global<?x?xf32> to !tile.window<8x8xf32>
  tile.return
}

// -----

tile.kernel @limits(%x: !tile.global<?x?xf32>, %o: i64) {
  // expected-error @below {{expected one limit per axis of the window (2) or none, found 1}}
  %w = tile.window %x[%o, %o] dims = [0, 1] upto [%o] : !tile.global<?x?xf32> to !tile.window<8x8xf32>
  tile.return
}

// -----

tile.kernel @element(%x: !tile.global<?x?xf32>, %o: i64) {
  // expected-error @below {{expected a window of 'f32', found 'f16'}}
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x?xf32> to !tile.window<8x8xf16>
  tile.return
}

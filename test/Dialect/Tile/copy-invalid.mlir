// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @two_windows(%x: !tile.global<?x64xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // expected-error @below {{expected a shared tile on one side; load and store move between windows}}
  tile.copy %w, %w : !tile.window<32x64xbf16> to !tile.window<32x64xbf16>
  tile.return
}

// -----

tile.kernel @shape(%x: !tile.global<?x64xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %s = tile.alloc_shared : !tile.shared<64x64xbf16>
  // expected-error @below {{expected the same shape and element type on both sides, found '!tile.window<32x64xbf16>' and '!tile.shared<64x64xbf16>'}}
  tile.copy %w, %s : !tile.window<32x64xbf16> to !tile.shared<64x64xbf16>
  tile.return
}

// -----

tile.kernel @pad(%x: !tile.global<?x64xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %s = tile.alloc_shared : !tile.shared<32x64xbf16>
  // expected-error @below {{expected a pad value of type 'bf16', found 'f32'}}
  tile.copy %w, %s pad 0.0 : f32 : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
  tile.return
}

// -----

tile.kernel @swizzle() {
  // expected-error @below {{expected the last axis to be a multiple of the swizzle's 128 bytes, found 48 bytes}}
  %s = tile.alloc_shared : !tile.shared<32x24xbf16, #tile.swizzle<128>>
  tile.return
}

// -----

tile.kernel @swizzle_width() {
  // expected-error @below {{expected a swizzle of 0, 32, 64 or 128 bytes, found 48}}
  %s = tile.alloc_shared : !tile.shared<32x24xbf16, #tile.swizzle<48>>
  tile.return
}

// -----

tile.kernel @element() {
  // expected-error @below {{expected an element type of f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64, found 'f64'}}
  %s = tile.alloc_shared : !tile.shared<32xf64>
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @no_narrow_side() {
  %x = arith.constant dense<1.0> : tensor<64xf32>
  // expected-error @below {{expected two float types, one of them e4m3 or e5m2, found 'f32' and 'bf16'}}
  %q = tile.cast %x : tensor<64xf32> to tensor<64xbf16>
  tile.return
}

// -----

tile.kernel @integer() {
  %x = arith.constant dense<1> : tensor<64xi32>
  // expected-error @below {{expected two float types, one of them e4m3 or e5m2, found 'i32' and 'f8E4M3FN'}}
  %q = tile.cast %x : tensor<64xi32> to tensor<64xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @same_type() {
  %x = arith.constant dense<1.0> : tensor<64xf8E4M3FN>
  // expected-error @below {{expected two float types, one of them e4m3 or e5m2, found 'f8E4M3FN' and 'f8E4M3FN'}}
  %q = tile.cast %x : tensor<64xf8E4M3FN> to tensor<64xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @shape() {
  %x = arith.constant dense<1.0> : tensor<64xf32>
  // expected-error @below {{expected the same shape and layout on both sides, found 'tensor<64xf32>' and 'tensor<32xf8E5M2>'}}
  %q = tile.cast %x : tensor<64xf32> to tensor<32xf8E5M2>
  tile.return
}

// -----

tile.kernel @scalar_and_tile(%x: f32) {
  // expected-error @below {{expected the same shape and layout on both sides, found 'f32' and 'tensor<32xf8E5M2>'}}
  %q = tile.cast %x : f32 to tensor<32xf8E5M2>
  tile.return
}

// -----

tile.kernel @saturating_wide() {
  %x = arith.constant dense<1.0> : tensor<64xf8E5M2>
  // expected-error @below {{only a cast to an 8-bit float saturates, found a cast to 'f32'}}
  %q = tile.cast %x {saturate} : tensor<64xf8E5M2> to tensor<64xf32>
  tile.return
}

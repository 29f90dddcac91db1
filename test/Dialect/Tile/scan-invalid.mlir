// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @axis(%x: tensor<8x64xi32>) {
  // expected-error @below {{expected an axis below 2, found 2}}
  %0 = tile.scan sum %x axis = 2 : tensor<8x64xi32>
  return
}

// -----

func.func @element(%x: tensor<64xbf16>) {
  // expected-error @below {{expected elements of f32, i32 or i64, found 'bf16'}}
  %0 = tile.scan sum %x axis = 0 : tensor<64xbf16>
  return
}

// -----

func.func @start(%x: tensor<8x64xi32>, %s: tensor<4x8xi32>) {
  // expected-error @below {{expected 'start' to lack axis 1 of 'tensor<8x64xi32>' and to have a last axis of warps, found 'tensor<4x8xi32>'}}
  %0 = tile.scan sum %x from %s : tensor<4x8xi32> axis = 1 : tensor<8x64xi32>
  return
}

// -----

func.func @argmax(%x: tensor<8x64xf32>) {
  // expected-error @below {{to have elements of 'i32', found 'tensor<8xf32>'}}
  %0 = tile.reduce argmax %x axis = 1 : tensor<8x64xf32> to tensor<8xf32>
  return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @contraction() {
  %a = tile.alloc_shared : !tile.shared<64x128xbf16>
  %b = tile.alloc_shared : !tile.shared<64x32xbf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  // expected-error @below {{contracts axes of different extents: 128 of the first operand, 64 of the second}}
  %r = tile.gemm %a, %b, %c : !tile.shared<64x128xbf16>, !tile.shared<64x32xbf16>, tensor<64x32xf32>
  tile.return
}

// -----

tile.kernel @accumulator_shape() {
  %a = tile.alloc_shared : !tile.shared<64x128xbf16>
  %b = tile.alloc_shared : !tile.shared<128x32xbf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @below {{expected an accumulator of 64x32, found 64x64}}
  %r = tile.gemm %a, %b, %c : !tile.shared<64x128xbf16>, !tile.shared<128x32xbf16>, tensor<64x64xf32>
  tile.return
}

// -----

tile.kernel @accumulator_type() {
  %a = tile.alloc_shared : !tile.shared<64x128xbf16>
  %b = tile.alloc_shared : !tile.shared<128x32xbf16>
  %c = arith.constant dense<0.0> : tensor<64x32xbf16>
  // expected-error @below {{expected an f32 accumulator, found 'bf16'}}
  %r = tile.gemm %a, %b, %c : !tile.shared<64x128xbf16>, !tile.shared<128x32xbf16>, tensor<64x32xbf16>
  tile.return
}

// -----

tile.kernel @mixed() {
  %a = tile.alloc_shared : !tile.shared<64x128xbf16>
  %b = tile.alloc_shared : !tile.shared<128x32xf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  // expected-error @below {{expected operands of one 16-bit float type or of 8-bit float types, found 'bf16' and 'f16'}}
  %r = tile.gemm %a, %b, %c : !tile.shared<64x128xbf16>, !tile.shared<128x32xf16>, tensor<64x32xf32>
  tile.return
}

// -----

tile.kernel @rank() {
  %a = tile.alloc_shared : !tile.shared<2x64x128xbf16>
  %b = tile.alloc_shared : !tile.shared<128x32xbf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  // expected-error @below {{expected tiles of rank 2, or a second one of rank 3 that holds a matrix for each run of rows, found ranks 3, 2 and 2}}
  %r = tile.gemm %a, %b, %c : !tile.shared<2x64x128xbf16>, !tile.shared<128x32xbf16>, tensor<64x32xf32>
  tile.return
}

// -----

tile.kernel @transposed_fragment(%x: f32) {
  %a = arith.constant dense<0.0> : tensor<128x64xbf16>
  %b = tile.alloc_shared : !tile.shared<128x32xbf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  // expected-error @below {{takes a transposed first operand from shared memory only}}
  %r = tile.gemm %a, %b, %c {transpose_a} : tensor<128x64xbf16>, !tile.shared<128x32xbf16>, tensor<64x32xf32>
  tile.return
}

// -----

tile.kernel @grouped_runs() {
  %a = tile.alloc_shared : !tile.shared<128x64xbf16>
  %b = tile.alloc_shared : !tile.shared<3x32x64xbf16>
  %c = arith.constant dense<0.0> : tensor<128x32xf32>
  // expected-error @below {{expected a number of rows that the second operand's 3 matrices divide into equal runs, found 128}}
  %r = tile.gemm %a, %b, %c {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<3x32x64xbf16>, tensor<128x32xf32>
  tile.return
}

// -----

tile.kernel @grouped_contraction() {
  %a = tile.alloc_shared : !tile.shared<128x64xbf16>
  %b = tile.alloc_shared : !tile.shared<2x64x32xbf16>
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-error @below {{contracts axes of different extents: 64 of the first operand, 32 of the second}}
  %r = tile.gemm %a, %b, %c {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<2x64x32xbf16>, tensor<128x64xf32>
  tile.return
}

// -----

tile.kernel @grouped_result() {
  %a = tile.alloc_shared : !tile.shared<128x64xbf16>
  %b = tile.alloc_shared : !tile.shared<2x64x32xbf16>
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-error @below {{expected an accumulator of 128x32, found 128x64}}
  %r = tile.gemm %a, %b, %c : !tile.shared<128x64xbf16>, !tile.shared<2x64x32xbf16>, tensor<128x64xf32>
  tile.return
}

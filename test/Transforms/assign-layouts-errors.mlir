// RUN: tile-opt %s -split-input-file -verify-diagnostics -tile-assign-layouts

tile.kernel @contracted_extent() {
  %a = tile.alloc_shared : !tile.shared<64x24xbf16>
  %b = tile.alloc_shared : !tile.shared<24x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @+1 {{no tensor core instruction fits this product of 64x24 and 24x64: the contracted extent is 24, expected a multiple of 16; pad the axis to 32}}
  %r = tile.gemm %a, %b, %zero : !tile.shared<64x24xbf16>, !tile.shared<24x64xbf16>, tensor<64x64xf32>
  tile.return
}

// -----

tile.kernel @columns() {
  %a = tile.alloc_shared : !tile.shared<64x16xbf16>
  %b = tile.alloc_shared : !tile.shared<16x12xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x12xf32>
  // expected-error @+1 {{no tensor core instruction fits this product of 64x16 and 16x12: the result has 12 columns, expected a multiple of 8; pad the axis to 16}}
  %r = tile.gemm %a, %b, %zero : !tile.shared<64x16xbf16>, !tile.shared<16x12xbf16>, tensor<64x12xf32>
  tile.return
}

// -----

tile.kernel @contracted_extent_of_bytes() {
  %a = tile.alloc_shared : !tile.shared<64x48xf8E4M3FN>
  %b = tile.alloc_shared : !tile.shared<16x48xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  // expected-error @+1 {{no tensor core instruction fits this product of 64x48 and 48x16: the contracted extent is 48, expected a multiple of 32; pad the axis to 64}}
  %r = tile.gemm %a, %b, %zero {transpose_b} : !tile.shared<64x48xf8E4M3FN>, !tile.shared<16x48xf8E4M3FN>, tensor<64x16xf32>
  tile.return
}

// -----

tile.kernel @second_not_k_major() {
  %a = tile.alloc_shared : !tile.shared<128x128xf8E4M3FN>
  %b = tile.alloc_shared : !tile.shared<128x64xf8E5M2>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-error @+1 {{the second operand is 128x64 of 'f8E5M2' with the contracted axis first, but the tensor cores read 8-bit operands with it last; store it as 64x128, in the tensor too}}
  %r = tile.gemm %a, %b, %zero : !tile.shared<128x128xf8E4M3FN>, !tile.shared<128x64xf8E5M2>, tensor<128x64xf32>
  tile.return
}

// -----

// Few rows: mma.sync has no transposed form either.
tile.kernel @first_not_k_major() {
  %a = tile.alloc_shared : !tile.shared<64x16xf8E4M3FN>
  %b = tile.alloc_shared : !tile.shared<32x64xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  // expected-error @+1 {{the first operand is 64x16 of 'f8E4M3FN' with the contracted axis first, but the tensor cores read 8-bit operands with it last; store it as 16x64, in the tensor too}}
  %r = tile.gemm %a, %b, %zero {transpose_a, transpose_b} : !tile.shared<64x16xf8E4M3FN>, !tile.shared<32x64xf8E4M3FN>, tensor<16x32xf32>
  tile.return
}

// -----

// expected-error @+1 {{already has layouts; expected fragments without}}
tile.kernel @twice() attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant dense<0.0> : tensor<128xf32, #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>>
  tile.return
}

// -----

// expected-error @+1 {{expected 1 to 32 warps, found 33}}
tile.kernel @many() attributes {tile.num_warps = 33 : i64} {
  tile.return
}

// -----

tile.kernel @other_region(%i: i64, %w: !tile.global<?xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %index = arith.index_cast %i : i64 to index
  // expected-error @+1 {{cannot carry fragments; expected scf.for, scf.while or scf.if}}
  %r = scf.index_switch %index -> tensor<64xf32>
  default {
    scf.yield %zero : tensor<64xf32>
  }
  tile.return
}

// -----

tile.kernel @grouped_short_runs() {
  %a = tile.alloc_shared : !tile.shared<128x64xbf16>
  %b = tile.alloc_shared : !tile.shared<4x64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-error @+1 {{a grouped product runs on wgmma only, and a run of rows for one matrix is 32, not a multiple of 64; make each run a multiple of 64 rows, and warps, if asked for, a multiple of 4}}
  %r = tile.gemm %a, %b, %zero {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<4x64x64xbf16>, tensor<128x64xf32>
  tile.return
}

// -----

tile.kernel @grouped_on_warps() attributes {tile.num_warps = 6 : i64} {
  %a = tile.alloc_shared : !tile.shared<128x64xbf16>
  %b = tile.alloc_shared : !tile.shared<2x64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-error @+1 {{a grouped product runs on wgmma only, and 6 warps are no whole warpgroups; make each run a multiple of 64 rows, and warps, if asked for, a multiple of 4}}
  %r = tile.gemm %a, %b, %zero {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<2x64x64xbf16>, tensor<128x64xf32>
  tile.return
}

// -----

tile.kernel @grouped_not_k_major() {
  %a = tile.alloc_shared : !tile.shared<128x128xf8E4M3FN>
  %b = tile.alloc_shared : !tile.shared<2x128x64xf8E5M2>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-error @+1 {{the second operand is 128x64 of 'f8E5M2' with the contracted axis first, but the tensor cores read 8-bit operands with it last; store it as 64x128, in the tensor too}}
  %r = tile.gemm %a, %b, %zero : !tile.shared<128x128xf8E4M3FN>, !tile.shared<2x128x64xf8E5M2>, tensor<128x64xf32>
  tile.return
}

// -----

// The second matrix of the part starts 68 rows behind the first one.
tile.kernel @grouped_part() {
  %c0 = arith.constant 0 : i64
  %a = tile.alloc_shared : !tile.shared<128x64xbf16>
  %b = tile.alloc_shared : !tile.shared<2x68x64xbf16>
  // expected-note @+1 {{the part}}
  %part = tile.slice %b[%c0, %c0, %c0] : !tile.shared<2x68x64xbf16> to !tile.shared<2x64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  // expected-error @+1 {{the second operand is a part of a shared tile that has to start at a multiple of 8 rows of it, but is only known to start at a multiple of 68; start it at a multiple of a constant, or copy it into a tile of its own}}
  %r = tile.gemm %a, %part, %zero {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<2x64x64xbf16>, tensor<128x64xf32>
  tile.return
}

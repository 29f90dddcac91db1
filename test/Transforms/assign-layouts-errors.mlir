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

tile.kernel @element_type() {
  %a = tile.alloc_shared : !tile.shared<64x32xf8E4M3FN>
  %b = tile.alloc_shared : !tile.shared<16x32xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  // expected-error @+1 {{no tensor core instruction fits this product of 64x32 and 32x16: operands are 'f8E4M3FN', expected bf16 or f16; cast them first}}
  %r = tile.gemm %a, %b, %zero {transpose_b} : !tile.shared<64x32xf8E4M3FN>, !tile.shared<16x32xf8E4M3FN>, tensor<64x16xf32>
  tile.return
}

// -----

// expected-error @+1 {{already has layouts: tile.num_warps is set}}
tile.kernel @twice() attributes {tile.num_warps = 4 : i64} {
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

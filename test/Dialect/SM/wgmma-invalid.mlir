// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @accumulator(%acc: vector<6xf32>, %d: i64) {
  // expected-error @below {{expected an accumulator of 4, 8, ... 128 elements (n = 8, 16, ... 256), found 6 (n = 12)}}
  %r = sm.wgmma %acc, %d, %d {type = bf16} : vector<6xf32>, i64
  return
}

// -----

func.func @too_wide(%acc: vector<132xf32>, %d: i64) {
  // expected-error @below {{found 132 (n = 264)}}
  %r = sm.wgmma %acc, %d, %d {type = bf16} : vector<132xf32>, i64
  return
}

// -----

func.func @operand_type(%acc: vector<64xf32>, %d: i64) {
  // expected-error @below {{expected operands of bf16, f16, f8E4M3FN or f8E5M2, found 'f32'}}
  %r = sm.wgmma %acc, %d, %d {type = f32} : vector<64xf32>, i64
  return
}

// -----

func.func @transposed_registers(%acc: vector<64xf32>, %a: vector<4xi32>, %d: i64) {
  // expected-error @below {{expected a descriptor for a transposed a, found registers}}
  %r = sm.wgmma %acc, %a, %d {type = bf16, transpose_a} : vector<64xf32>, vector<4xi32>
  return
}

// -----

func.func @transposed_fp8(%acc: vector<64xf32>, %d: i64) {
  // expected-error @below {{expected K-major operands for 'f8E5M2', found a transposed one; only 16-bit types have transposed forms}}
  %r = sm.wgmma %acc, %d, %d {type = f8E5M2, transpose_b} : vector<64xf32>, i64
  return
}

// -----

func.func @a_registers(%acc: vector<64xf32>, %a: vector<2xi32>, %d: i64) {
  // expected-error @below {{operand #1 must be 64-bit signless integer or vector<4xi32>}}
  %r = sm.wgmma %acc, %a, %d {type = bf16} : vector<64xf32>, vector<2xi32>
  return
}

// -----

func.func @pending(%acc: vector<64xf32>) {
  // expected-error @below {{expected pending from 0 to 7, found 8}}
  %r = sm.wgmma_wait %acc {pending = 8 : i64} : vector<64xf32>
  return
}

// -----

func.func @mixed_widths(%acc: vector<64xf32>, %d: i64) {
  // expected-error @below {{expected operands of one type, or both of 8 bits, found 'bf16' and 'f8E4M3FN'}}
  %r = sm.wgmma %acc, %d, %d {type = bf16, type_b = f8E4M3FN} : vector<64xf32>, i64
  return
}

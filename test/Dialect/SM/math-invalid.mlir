// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @odd_length(%v: vector<3xf32>) {
  // expected-error @below {{expected an even number of elements, found 3; convert a single one by arith.truncf or arith.extf}}
  %r = sm.cvt_pack %v : vector<3xf32> to vector<3xbf16>
  return
}

// -----

func.func @lengths(%v: vector<4xf32>) {
  // expected-error @below {{expected as many elements in the result as in the operand, found 2 from 4}}
  %r = sm.cvt_pack %v : vector<4xf32> to vector<2xbf16>
  return
}

// -----

func.func @element_type(%x: f64) {
  // expected-error @below {{operand #0 must be f32 or vector of f32}}
  %r = sm.exp2 %x : f64
  return
}

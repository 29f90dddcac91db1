// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @matrix_count(%address: i32) {
  // expected-error @below {{expected 1, 2 or 4 matrices (one i32 each), found 3}}
  %a = sm.ldmatrix %address : vector<3xi32>
  return
}

// -----

func.func @stored_count(%v: vector<8xi32>, %address: i32) {
  // expected-error @below {{expected 1, 2 or 4 matrices (one i32 each), found 8}}
  sm.stmatrix %v, %address : vector<8xi32>
  return
}

// -----

func.func @operand_type(%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<4xf32>) {
  // expected-error @below {{expected operands of bf16, f16, f8E4M3FN or f8E5M2, found 'i8'}}
  %r = sm.mma %a, %b, %c {type = i8}
  return
}

// -----

func.func @mixed_types(%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<4xf32>) {
  // expected-error @below {{expected operands of one type, or both of 8 bits, found 'f16' and 'bf16'}}
  %r = sm.mma %a, %b, %c {type = f16, type_b = bf16}
  return
}

// -----

func.func @again_without_yield(%s: vector<4xf32>) {
  // expected-error @below {{expected a body without arguments that ends in sm.yield}}
  %t = sm.again %s {
    %r = arith.negf %s : vector<4xf32>
  } : vector<4xf32>
  return
}

// -----

func.func @again_empty(%s: vector<4xf32>) {
  // expected-error @below {{expects a non-empty block}}
  %t = sm.again %s {
  } : vector<4xf32>
  return
}

// -----

func.func @again_of_another_type(%s: vector<4xf32>, %t: vector<2xf32>) {
  // expected-error @below {{expected a body that yields 'vector<4xf32>', found 'vector<2xf32>'}}
  %u = sm.again %s {
    sm.yield %t : vector<2xf32>
  } : vector<4xf32>
  return
}

// -----

func.func @again_of_bf16(%s: vector<4xbf16>) {
  // expected-error @below {{operand #0 must be}}
  %t = sm.again %s {
    sm.yield %s : vector<4xbf16>
  } : vector<4xbf16>
  return
}

// -----

func.func @yield_elsewhere(%s: vector<4xf32>) {
  // expected-error @below {{expects parent op 'sm.again'}}
  sm.yield %s : vector<4xf32>
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @too_wide(%a: i64) {
  // expected-error @below {{expected a value of 1, 2, 4, 8 or 16 bytes, found 'vector<8xf32>' of 256 bits; split it}}
  %v = sm.load_global %a : vector<8xf32>
  return
}

// -----

func.func @no_power_of_two(%a: i32, %v: vector<3xf32>) {
  // expected-error @below {{expected a value of 1, 2, 4, 8 or 16 bytes, found 'vector<3xf32>' of 96 bits; split it}}
  sm.store_shared %v, %a : vector<3xf32>
  return
}

// -----

func.func @bits(%a: i32, %v: vector<8xi1>) {
  // expected-error @below {{expected elements of whole bytes, found 'vector<8xi1>'; extend i1 to i8 first}}
  sm.store_shared %v, %a : vector<8xi1>
  return
}

// -----

func.func @rank(%a: i32) {
  // expected-error @below {{must be integer, float or vector of rank 1}}
  %v = sm.load_shared %a : vector<2x2xf32>
  return
}

// -----

func.func @copy_size(%t: i32, %s: i64, %n: i32) {
  // expected-error @below {{expected 4, 8 or 16 bytes, found 32}}
  sm.cp_async %t, %s, %n {bytes = 32 : i64}
  return
}

// -----

func.func @source_size(%t: i32, %s: i64) {
  %n = arith.constant 16 : i32
  // expected-error @below {{expected 0 to 8 source bytes, found 16}}
  sm.cp_async %t, %s, %n {bytes = 8 : i64}
  return
}

// -----

func.func @pending() {
  // expected-error @below {{expected pending of at least 0, found -1}}
  sm.cp_async_wait {pending = -1 : i64}
  return
}

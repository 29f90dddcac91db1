// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @coordinates(%map: !sm.tensor_map, %a: i32, %bar: i32) {
  // expected-error @below {{expected 1 to 5 coordinates, found 0}}
  sm.tma_load %a, %map[], %bar : !sm.tensor_map
  return
}

// -----

func.func @many_coordinates(%map: !sm.tensor_map, %a: i32) {
  // expected-error @below {{expected 1 to 5 coordinates, found 6}}
  sm.tma_store %map[%a, %a, %a, %a, %a, %a], %a : !sm.tensor_map
  return
}

// -----

func.func @bulk_bytes(%target: i32, %source: i64, %bar: i32) {
  %n = arith.constant 24 : i32
  // expected-error @below {{expected a multiple of 16 bytes, found 24}}
  sm.bulk_load %target, %source, %n, %bar
  return
}

// -----

func.func @pending() {
  // expected-error @below {{expected pending of at least 0, found -2}}
  sm.tma_wait {pending = -2 : i64}
  return
}

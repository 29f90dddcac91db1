// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @odd_bits(%v: vector<3xbf16>, %n: i32) {
  // expected-error @below {{expected a scalar of at most 32 bits or a multiple of 32 bits, found 'vector<3xbf16>' of 48 bits}}
  %r = sm.shuffle xor %v, %n : vector<3xbf16>
  return
}

// -----

func.func @register_step() {
  // expected-error @below {{expected a multiple of 8 registers from 24 to 256, found 100}}
  sm.set_registers increase 100
  return
}

// -----

func.func @register_range() {
  // expected-error @below {{expected a multiple of 8 registers from 24 to 256, found 16}}
  sm.set_registers decrease 16
  return
}

// -----

func.func @item_outside_loops(%n: i64) {
  // expected-error @below {{expected to stand directly in a loop over work items, an 'scf.for' with 'tile.tile_loop'}}
  sm.go_to_item %n
  return
}

// -----

func.func @plain_loop(%n: i64) {
  scf.for %i = %n to %n step %n : i64 {
    // expected-error @below {{expected to stand directly in a loop over work items, an 'scf.for' with 'tile.tile_loop'}}
    %next = sm.draw_item
    sm.go_to_item %next
  }
  return
}

// -----

func.func @drawn_for_nothing(%n: i64) {
  scf.for %i = %n to %n step %n : i64 {
    // expected-error @below {{expected one 'sm.go_to_item' in its loop, found 0}}
    %next = sm.draw_item
  } {tile.tile_loop}
  return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @barrier_id(%n: i32) {
  %id = arith.constant 16 : i32
  // expected-error @below {{expected a barrier id from 0 to 15, found 16}}
  sm.named_barrier %id, %n
  return
}

// -----

func.func @thread_count(%id: i32) {
  %n = arith.constant 100 : i32
  // expected-error @below {{expected a thread count that is a multiple of 32 from 32 to 1024, found 100}}
  sm.named_barrier %id, %n {arrive}
  return
}

// -----

func.func @arrival_count(%bar: i32) {
  %n = arith.constant 0 : i32
  // expected-error @below {{expected an arrival count from 1 to 1048575, found 0}}
  sm.barrier_init %bar, %n
  return
}

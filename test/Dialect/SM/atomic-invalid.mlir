// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @float_max(%g: i64, %f: f32) {
  // expected-error @below {{max has no instruction for f32; expected i32 or i64}}
  sm.atomic_global max relaxed gpu %f, %g : f32
  return
}

// -----

func.func @wide_inc(%g: i64, %w: i64) {
  // expected-error @below {{inc has an instruction for i32 only, found 'i64'}}
  sm.atomic_global inc relaxed gpu %w, %g : i64
  return
}

// -----

func.func @float_inc(%s: i32, %f: f32) {
  // expected-error @below {{inc has no instruction for f32; expected i32}}
  sm.atomic_shared inc relaxed cta %f, %s : f32
  return
}

// -----

func.func @compare_without_cas(%g: i64, %v: i32) {
  // expected-error @below {{expected 'compare' with cas and only there, found add}}
  sm.atomic_global add relaxed gpu %v, %g compare %v : i32 : i32
  return
}

// -----

func.func @cas_without_compare(%s: i32, %v: i32) {
  // expected-error @below {{expected 'compare' with cas and only there, found cas}}
  sm.atomic_shared cas relaxed cta %v, %s : i32
  return
}

// -----

func.func @old_type(%s: i32, %v: i32) {
  // expected-error @below {{expected 'compare' and the old value to be 'i32', found 'i64'}}
  %0 = sm.atomic_shared add relaxed cta %v, %s : i32 -> i64
  return
}

// -----

func.func @relaxed_fence() {
  // expected-error @below {{a relaxed fence orders nothing; expected acquire, release or acq_rel}}
  sm.fence relaxed gpu
  return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @wrong_type(%x: f32) {
  // expected-error @+1 {{'sm.print' op expected a format with %d, %lld or %g for each value of type i32, i64 or f32, found "x = %d" for ('f32')}}
  sm.print "x = %d"(%x) : f32
  return
}

// -----

func.func @too_few(%x: i32) {
  // expected-error @+1 {{for ('i32')}}
  sm.print "x = %d, %d"(%x) : i32
  return
}

// -----

func.func @unknown() {
  // expected-error @+1 {{found "%s"}}
  sm.print "%s"
  return
}

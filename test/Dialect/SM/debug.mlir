// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @debug
func.func @debug(%i: i32, %n: i64, %x: f32) {
  // CHECK: sm.print "x[%d] = %.9g, 100%% of %lld\0A"(%{{.*}}, %{{.*}}, %{{.*}}) : i32, f32, i64
  sm.print "x[%d] = %.9g, 100%% of %lld\n"(%i, %x, %n) : i32, f32, i64
  // CHECK: sm.print "here"
  sm.print "here"
  // CHECK: sm.trap "an index is too large"
  sm.trap "an index is too large"
  return
}

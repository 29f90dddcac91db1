// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -convert-tile-to-pipe -pipe-schedule -verify-diagnostics | FileCheck %s
// RUN: sed 's/{tile.launch = #launch}/{tile.ctas_per_sm = 1 : i64, tile.launch = #launch}/' %s \
// RUN:   | tile-opt -tile-assign-layouts -tile-optimize-conversions -convert-tile-to-pipe -pipe-schedule \
// RUN:   | FileCheck %s --check-prefix=ONE

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["M", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "VD"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["M", "VD"], aligned}]}

// The second product's operand comes from the first one's result.
// Two CTAs fit on an SM, unless the author says how many.
// CHECK-LABEL: tile.kernel @overlaps
// CHECK-SAME: tile.ctas_per_sm = 2
// ONE-LABEL: tile.kernel @overlaps
// ONE-SAME: tile.ctas_per_sm = 1
// CHECK: tile.gemm {{.*}} {transpose_b} : !tile.shared
// CHECK: tile.gemm {{.*}} {pipe.late} : tensor
tile.kernel @overlaps(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                     %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<64x64xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = math.exp2 %s : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Accumulators and operand of a late product take more than 208 registers of a thread.
// CHECK-LABEL: tile.kernel @too_wide
// CHECK-NOT: pipe.late
tile.kernel @too_wide(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x128xbf16>,
                     %o: !tile.global<64x128xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 256 : i64
  %zs = arith.constant dense<0.0> : tensor<64x256xf32>
  %zo = arith.constant dense<0.0> : tensor<64x128xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  // expected-remark @+1 {{no product of this loop overlaps with elementwise work: its tiles would take 256 registers of a thread, 208 are there}}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x128xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<256x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<256x128xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<256x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<256x128xbf16>
    tile.copy %kw, %ks : !tile.window<256x64xbf16> to !tile.shared<256x64xbf16>
    tile.copy %vw, %vs : !tile.window<256x128xbf16> to !tile.shared<256x128xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<256x64xbf16>, tensor<64x256xf32>
    %e = math.exp2 %s : tensor<64x256xf32>
    %p = arith.truncf %e : tensor<64x256xf32> to tensor<64x256xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x256xbf16>, !tile.shared<256x128xbf16>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x128xf32> to !tile.window<64x128xf32>
  tile.store %r, %ow : tensor<64x128xf32> to !tile.window<64x128xf32>
  tile.return
}

// K would be held into the next iteration, which waits for the next K.
// CHECK-LABEL: tile.kernel @one_stage
// CHECK-NOT: pipe.late
tile.kernel @one_stage(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                     %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<64x64xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  // expected-remark @+1 {{no product of this loop overlaps with elementwise work: a tile is read in two iterations, its ring has one stage}}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
    %part = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %next = tile.gemm %p, %ks, %part : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 1>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// The first product reads what the second one of the iteration before made.
// CHECK-LABEL: tile.kernel @early_needs_late
// CHECK-NOT: pipe.late
tile.kernel @early_needs_late(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                     %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<64x64xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  // expected-remark @+1 {{no product of this loop overlaps with elementwise work: an early product needs the result of a late one}}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xbf16>
    %s = tile.gemm %h, %ks, %zs {transpose_b} : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// One product that depends on no other.
// CHECK-LABEL: tile.kernel @single
// CHECK-NOT: pipe.late
tile.kernel @single(%x: !tile.global<64x?xbf16>, %y: !tile.global<64x?xbf16>, %v: !tile.global<?x64xbf16>,
                   %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %at = arith.muli %i, %c64 : i64
    %xs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %ys = tile.alloc_shared : !tile.shared<64x64xbf16>
    %xw = tile.window %x[%c0, %at] dims = [0, 1] : !tile.global<64x?xbf16> to !tile.window<64x64xbf16>
    %yw = tile.window %y[%c0, %at] dims = [0, 1] : !tile.global<64x?xbf16> to !tile.window<64x64xbf16>
    tile.copy %xw, %xs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %yw, %ys : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %xs, %ys, %acc {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

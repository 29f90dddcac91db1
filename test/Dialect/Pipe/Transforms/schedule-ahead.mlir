// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -convert-tile-to-pipe -pipe-schedule -verify-diagnostics | FileCheck %s

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["M", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "VD"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["M", "VD"], aligned}]}
#wide = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["M", "128"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "128"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "VD"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["M", "VD"], aligned}]}

// Three slots in each ring, and registers for two iterations: 32 of O, 2 * 64 of S, 32 of P.
// CHECK-LABEL: tile.kernel @ahead
// CHECK: producer {
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: } {pipe.ahead = 0 : i64}
// CHECK: consumer {
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tile.gemm {{.*}} {pipe.late}
// CHECK: } {pipe.ahead = 0 : i64, tile.pipeline
tile.kernel @ahead(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                  %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 128 : i64
  %zs = arith.constant dense<0.0> : tensor<64x128xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<128x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<128x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    tile.copy %kw, %ks : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    tile.copy %vw, %vs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<128x64xbf16>, tensor<64x128xf32>
    %e = math.exp2 %s : tensor<64x128xf32>
    %p = arith.truncf %e : tensor<64x128xf32> to tensor<64x128xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x128xbf16>, !tile.shared<128x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Rings of two slots hold two iterations: the late product is marked alone.
// CHECK-LABEL: tile.kernel @two_slots
// CHECK: pipe.channel : {{.*}}, 2>
// CHECK-NEXT: pipe.channel : {{.*}}, 2>
// CHECK-NOT: pipe.ahead
// CHECK: tile.gemm {{.*}} {pipe.late}
// CHECK-NOT: pipe.ahead
tile.kernel @two_slots(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                  %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 128 : i64
  %zs = arith.constant dense<0.0> : tensor<64x128xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<128x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<128x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    tile.copy %kw, %ks : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    tile.copy %vw, %vs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<128x64xbf16>, tensor<64x128xf32>
    %e = math.exp2 %s : tensor<64x128xf32>
    %p = arith.truncf %e : tensor<64x128xf32> to tensor<64x128xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x128xbf16>, !tile.shared<128x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// The same with an O of 64 registers: 224 of 208. One iteration late it takes 160.
// CHECK-LABEL: tile.kernel @too_many_registers
// CHECK: pipe.channel : {{.*}}, 3>
// CHECK-NEXT: pipe.channel : {{.*}}, 3>
// CHECK-NOT: pipe.ahead
// CHECK: tile.gemm {{.*}} {pipe.late}
// CHECK-NOT: pipe.ahead
tile.kernel @too_many_registers(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x128xbf16>,
                  %o: !tile.global<64x128xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 128 : i64
  %zs = arith.constant dense<0.0> : tensor<64x128xf32>
  %zo = arith.constant dense<0.0> : tensor<64x128xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x128xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<128x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<128x128xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<128x128xbf16>
    tile.copy %kw, %ks : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    tile.copy %vw, %vs : !tile.window<128x128xbf16> to !tile.shared<128x128xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<128x64xbf16>, tensor<64x128xf32>
    %e = math.exp2 %s : tensor<64x128xf32>
    %p = arith.truncf %e : tensor<64x128xf32> to tensor<64x128xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x128xbf16>, !tile.shared<128x128xbf16>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x128xf32> to !tile.window<64x128xf32>
  tile.store %r, %ow : tensor<64x128xf32> to !tile.window<64x128xf32>
  tile.return
}

// The first product reads what the elementwise work of the iteration before made: that runs beside it.
// CHECK-LABEL: tile.kernel @early_needs_middle
// CHECK: pipe.channel : {{.*}}, 3>
// CHECK-NEXT: pipe.channel : {{.*}}, 3>
// CHECK-NOT: pipe.ahead
// CHECK: tile.gemm {{.*}} {pipe.late}
// CHECK-NOT: pipe.ahead
tile.kernel @early_needs_middle(%q: !tile.global<64x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                  %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<64x64xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %zh = arith.constant dense<0.0> : tensor<64x64xbf16>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r:2 = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo, %state = %zh) -> (tensor<64x64xf32>, tensor<64x64xbf16>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %state, %ks, %zs {transpose_b} : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %e = math.exp2 %s : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next, %p : tensor<64x64xf32>, tensor<64x64xbf16>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r#0, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Three warpgroups have registers for less: O 64, S twice 32, P 16, together 144 of 128.
// CHECK-LABEL: tile.kernel @three_warpgroups
// CHECK: pipe.channel : {{.*}}, 3>
// CHECK-NEXT: pipe.channel : {{.*}}, 3>
// CHECK-NOT: pipe.ahead
// CHECK: tile.gemm {{.*}} {pipe.late}
// CHECK-NOT: pipe.ahead
tile.kernel @three_warpgroups(%q: !tile.global<192x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x128xbf16>,
                  %o: !tile.global<192x128xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<192x64xf32>
  %zo = arith.constant dense<0.0> : tensor<192x128xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<192x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<192x64xbf16> to !tile.window<192x64xbf16>
  tile.copy %qw, %qs : !tile.window<192x64xbf16> to !tile.shared<192x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<192x128xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x128xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<64x128xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x128xbf16> to !tile.shared<64x128xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<192x64xbf16>, !tile.shared<64x64xbf16>, tensor<192x64xf32>
    %e = math.exp2 %s : tensor<192x64xf32>
    %p = arith.truncf %e : tensor<192x64xf32> to tensor<192x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<192x64xbf16>, !tile.shared<64x128xbf16>, tensor<192x128xf32>
    scf.yield %next : tensor<192x128xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<192x128xf32> to !tile.window<192x128xf32>
  tile.store %r, %ow : tensor<192x128xf32> to !tile.window<192x128xf32>
  tile.return
}

// Q stays in registers, 32 of them: with the 192 of @ahead 224 of 208.
// CHECK-LABEL: tile.kernel @operand_stays
// CHECK: pipe.channel : {{.*}}, 3>
// CHECK-NEXT: pipe.channel : {{.*}}, 3>
// CHECK-NOT: pipe.ahead
// CHECK: tile.gemm {{.*}} {pipe.late}
// CHECK-NOT: pipe.ahead
tile.kernel @operand_stays(%q: !tile.global<64x128xbf16>, %k: !tile.global<?x128xbf16>, %v: !tile.global<?x64xbf16>,
                  %o: !tile.global<64x64xf32>) attributes {tile.launch = #wide} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 128 : i64
  %zs = arith.constant dense<0.0> : tensor<64x128xf32>
  %zo = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<64x128xbf16> to !tile.window<64x128xbf16>
  %qt = tile.load %qw : !tile.window<64x128xbf16> to tensor<64x128xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<128x128xbf16>
    %vs = tile.alloc_shared : !tile.shared<128x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<128x128xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
    tile.copy %kw, %ks : !tile.window<128x128xbf16> to !tile.shared<128x128xbf16>
    tile.copy %vw, %vs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
    %s = tile.gemm %qt, %ks, %zs {transpose_b} : tensor<64x128xbf16>, !tile.shared<128x128xbf16>, tensor<64x128xf32>
    %e = math.exp2 %s : tensor<64x128xf32>
    %p = arith.truncf %e : tensor<64x128xf32> to tensor<64x128xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<64x128xbf16>, !tile.shared<128x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

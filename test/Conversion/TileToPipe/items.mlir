// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe | FileCheck %s
// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -pipe-repeat-items -tile-materialize-scratch \
// RUN:   -tile-allocate-shared -tile-insert-barriers-and-fences -pipe-verify-protocol='model=true' -o /dev/null

#narrow = {dims = ["n"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["n", "64"], aligned}]}
#wide = {dims = ["n"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "512"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "512"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["n", "64"], aligned}]}

// What stands outside loops is loaded for the next work item while this one is computed: two slots.
// CHECK-LABEL: tile.kernel @two_items
// CHECK: pipe.work_item
// CHECK: %[[Q:.*]] = pipe.channel {{.*}}<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
// CHECK: %[[K:.*]] = pipe.channel {{.*}}<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
tile.kernel @two_items(%q: !tile.global<?x64xbf16>, %k: !tile.global<?x64xbf16>, %o: !tile.global<?x64xf32>)
    attributes {tile.launch = #narrow} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.dim "n"
  %id = tile.program_id
  %ctas = tile.num_programs
  scf.for %item = %id to %n step %ctas : i64 {
    %place = arith.muli %item, %c64 : i64
    %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %qw = tile.window %q[%place, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
      %row = arith.muli %i, %c64 : i64
      %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
      %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %qs, %ks, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    %ow = tile.window %o[%place, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  } {tile.tile_loop}
  tile.return
}

// 64 KiB each: two of the queries do not fit beside two of the keys.
// CHECK-LABEL: tile.kernel @no_room
// CHECK: pipe.work_item
// CHECK: pipe.channel {{.*}}<!tile.shared<64x512xbf16, #tile.swizzle<128>>, 1>
// CHECK: pipe.channel {{.*}}<!tile.shared<64x512xbf16, #tile.swizzle<128>>, 2>
tile.kernel @no_room(%q: !tile.global<?x512xbf16>, %k: !tile.global<?x512xbf16>, %o: !tile.global<?x64xf32>)
    attributes {tile.launch = #wide} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.dim "n"
  %id = tile.program_id
  %ctas = tile.num_programs
  scf.for %item = %id to %n step %ctas : i64 {
    %place = arith.muli %item, %c64 : i64
    %qs = tile.alloc_shared : !tile.shared<64x512xbf16>
    %qw = tile.window %q[%place, %c0] dims = [0, 1] : !tile.global<?x512xbf16> to !tile.window<64x512xbf16>
    tile.copy %qw, %qs : !tile.window<64x512xbf16> to !tile.shared<64x512xbf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
      %row = arith.muli %i, %c64 : i64
      %ks = tile.alloc_shared : !tile.shared<64x512xbf16>
      %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x512xbf16> to !tile.window<64x512xbf16>
      tile.copy %kw, %ks : !tile.window<64x512xbf16> to !tile.shared<64x512xbf16>
      %next = tile.gemm %qs, %ks, %a {transpose_b} : !tile.shared<64x512xbf16>, !tile.shared<64x512xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    %ow = tile.window %o[%place, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  } {tile.tile_loop}
  tile.return
}

// 48 KiB each, which would fit, but for a tile that no copy fills.
// CHECK-LABEL: tile.kernel @beside_another_tile
// CHECK: pipe.channel {{.*}}<!tile.shared<64x384xbf16, #tile.swizzle<128>>, 1>
// CHECK: pipe.channel {{.*}}<!tile.shared<64x384xbf16, #tile.swizzle<128>>, 2>
#medium = {dims = ["n"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "384"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "384"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["n", "64"], aligned},
  {name = "p", kind = "tensor", access = "out", dtype = "f32", extents = ["n", "192"], aligned}]}
tile.kernel @beside_another_tile(%q: !tile.global<?x384xbf16>, %k: !tile.global<?x384xbf16>, %o: !tile.global<?x64xf32>,
                                 %p: !tile.global<?x192xf32>)
    attributes {tile.launch = #medium} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.dim "n"
  %id = tile.program_id
  %ctas = tile.num_programs
  scf.for %item = %id to %n step %ctas : i64 {
    %place = arith.muli %item, %c64 : i64
    %qs = tile.alloc_shared : !tile.shared<64x384xbf16>
    %qw = tile.window %q[%place, %c0] dims = [0, 1] : !tile.global<?x384xbf16> to !tile.window<64x384xbf16>
    tile.copy %qw, %qs : !tile.window<64x384xbf16> to !tile.shared<64x384xbf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
      %row = arith.muli %i, %c64 : i64
      %ks = tile.alloc_shared : !tile.shared<64x384xbf16>
      %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x384xbf16> to !tile.window<64x384xbf16>
      tile.copy %kw, %ks : !tile.window<64x384xbf16> to !tile.shared<64x384xbf16>
      %next = tile.gemm %qs, %ks, %a {transpose_b} : !tile.shared<64x384xbf16>, !tile.shared<64x384xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    %ow = tile.window %o[%place, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    %pw = tile.window %p[%place, %c0] dims = [0, 1] : !tile.global<?x192xf32> to !tile.window<64x192xf32>
    %t = tile.alloc_shared : !tile.shared<64x192xf32>
    %x = arith.constant dense<1.0> : tensor<64x192xf32>
    tile.store %x, %t : tensor<64x192xf32> to !tile.shared<64x192xf32>
    %y = tile.load %t : !tile.shared<64x192xf32> to tensor<64x192xf32>
    tile.store %y, %pw : tensor<64x192xf32> to !tile.window<64x192xf32>
    tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  } {tile.tile_loop}
  tile.return
}

// 32 KiB each: three of them fit twice on an SM, four do not.
// CHECK-LABEL: tile.kernel @two_ctas
// CHECK: pipe.channel {{.*}}<!tile.shared<64x256xbf16, #tile.swizzle<128>>, 1>
// CHECK: pipe.channel {{.*}}<!tile.shared<64x256xbf16, #tile.swizzle<128>>, 2>
#half = {dims = ["n"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "256"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "256"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["n", "64"], aligned}]}
tile.kernel @two_ctas(%q: !tile.global<?x256xbf16>, %k: !tile.global<?x256xbf16>, %o: !tile.global<?x64xf32>)
    attributes {tile.launch = #half, tile.ctas_per_sm = 2 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.dim "n"
  %id = tile.program_id
  %ctas = tile.num_programs
  scf.for %item = %id to %n step %ctas : i64 {
    %place = arith.muli %item, %c64 : i64
    %qs = tile.alloc_shared : !tile.shared<64x256xbf16>
    %qw = tile.window %q[%place, %c0] dims = [0, 1] : !tile.global<?x256xbf16> to !tile.window<64x256xbf16>
    tile.copy %qw, %qs : !tile.window<64x256xbf16> to !tile.shared<64x256xbf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
      %row = arith.muli %i, %c64 : i64
      %ks = tile.alloc_shared : !tile.shared<64x256xbf16>
      %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x256xbf16> to !tile.window<64x256xbf16>
      tile.copy %kw, %ks : !tile.window<64x256xbf16> to !tile.shared<64x256xbf16>
      %next = tile.gemm %qs, %ks, %a {transpose_b} : !tile.shared<64x256xbf16>, !tile.shared<64x256xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.pipeline = #tile.pipeline<stages = 2>}
    %ow = tile.window %o[%place, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  } {tile.tile_loop}
  tile.return
}

// A CTA that computes one thing has no next one to load for.
// CHECK-LABEL: tile.kernel @one_item
// CHECK-NOT: pipe.work_item
// CHECK: pipe.channel {{.*}}<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
// CHECK: pipe.channel {{.*}}<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
tile.kernel @one_item(%q: !tile.global<?x64xbf16>, %k: !tile.global<?x64xbf16>, %o: !tile.global<?x64xf32>)
    attributes {tile.launch = #narrow} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.dim "n"
  %item = tile.program_id
  %place = arith.muli %item, %c64 : i64
  %qs = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %q[%place, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %qs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %qs, %ks, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%place, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

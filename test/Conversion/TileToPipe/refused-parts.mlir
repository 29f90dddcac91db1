// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -verify-diagnostics

// Parts that do not fill their tile, each element once, or that TMA cannot write by themselves.

#launch = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

tile.kernel @gap(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    // expected-remark @+1 {{the kernel takes the simple path: rows 24 to 31 of this shared tile are filled by no copy}}
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w0 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<24x64xbf16>
    %p0 = tile.slice %s[%c0, %c0] : !tile.shared<64x64xbf16> to !tile.shared<24x64xbf16>
    tile.copy %w0, %p0 : !tile.window<24x64xbf16> to !tile.shared<24x64xbf16>
    %w1 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
    %p1 = tile.slice %s[%c32, %c0] : !tile.shared<64x64xbf16> to !tile.shared<32x64xbf16>
    tile.copy %w1, %p1 : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @end_missing(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    // expected-remark @+1 {{the kernel takes the simple path: rows 48 to 63 of this shared tile are filled by no copy}}
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w0 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
    %p0 = tile.slice %s[%c0, %c0] : !tile.shared<64x64xbf16> to !tile.shared<32x64xbf16>
    tile.copy %w0, %p0 : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
    %w1 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<16x64xbf16>
    %p1 = tile.slice %s[%c32, %c0] : !tile.shared<64x64xbf16> to !tile.shared<16x64xbf16>
    tile.copy %w1, %p1 : !tile.window<16x64xbf16> to !tile.shared<16x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @overlap(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    // expected-remark @+1 {{the kernel takes the simple path: rows 24 to 31 of this shared tile are filled by two copies}}
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w0 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
    %p0 = tile.slice %s[%c0, %c0] : !tile.shared<64x64xbf16> to !tile.shared<32x64xbf16>
    tile.copy %w0, %p0 : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
    %w1 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<40x64xbf16>
    %p1 = tile.slice %s[%c24, %c0] : !tile.shared<64x64xbf16> to !tile.shared<40x64xbf16>
    tile.copy %w1, %p1 : !tile.window<40x64xbf16> to !tile.shared<40x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @inside_the_period(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w0 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<60x64xbf16>
    %p0 = tile.slice %s[%c4, %c0] : !tile.shared<64x64xbf16> to !tile.shared<60x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: TMA cannot fill this part of the shared tile: it starts at row 4, and the swizzle of 128 bytes repeats every 8 rows (1024 bytes)}}
    tile.copy %w0, %p0 : !tile.window<60x64xbf16> to !tile.shared<60x64xbf16>
    %w1 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<4x64xbf16>
    %p1 = tile.slice %s[%c0, %c0] : !tile.shared<64x64xbf16> to !tile.shared<4x64xbf16>
    tile.copy %w1, %p1 : !tile.window<4x64xbf16> to !tile.shared<4x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @inside_a_slab(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w0 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x32xbf16>
    %p0 = tile.slice %s[%c0, %c0] : !tile.shared<64x64xbf16> to !tile.shared<64x32xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: TMA cannot fill this part of the shared tile: it covers bytes 0 to 64 of rows, TMA whole slabs of 128 bytes}}
    tile.copy %w0, %p0 : !tile.window<64x32xbf16> to !tile.shared<64x32xbf16>
    %w1 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x32xbf16>
    %p1 = tile.slice %s[%c0, %c32] : !tile.shared<64x64xbf16> to !tile.shared<64x32xbf16>
    tile.copy %w1, %p1 : !tile.window<64x32xbf16> to !tile.shared<64x32xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @computed(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w0 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
    %p0 = tile.slice %s[%i, %c0] : !tile.shared<64x64xbf16> to !tile.shared<32x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: which part of the shared tile this copy fills is not known to the compiler}}
    tile.copy %w0, %p0 : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
    %w1 = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
    %p1 = tile.slice %s[%c32, %c0] : !tile.shared<64x64xbf16> to !tile.shared<32x64xbf16>
    tile.copy %w1, %p1 : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

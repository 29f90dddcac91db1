// RUN: tile-opt %s -tile-remember-products | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = []>
!scores = tensor<64x64xf32, #acc>
!rows = tensor<64xf32, #row>
!tile = !tile.shared<64x16xbf16, #tile.swizzle<32>>
!window = !tile.window<64x16xbf16>
!global = !tile.global<?x16xbf16>

// The form that the others differ from in one thing each.
// CHECK-LABEL: tile.kernel @form(
// CHECK: tile.again
tile.kernel @form(%q: !global, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// No selection says that another number will do.
// CHECK-LABEL: tile.kernel @no_permission(
// CHECK-NOT: tile.again
tile.kernel @no_permission(%q: !global, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// The loop is none that is split into roles.
// CHECK-LABEL: tile.kernel @not_pipelined(
// CHECK-NOT: tile.again
tile.kernel @not_pipelined(%q: !global, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  }
  tile.return
}

// A matrix of keys for each run of queries.
// CHECK-LABEL: tile.kernel @grouped(
// CHECK-NOT: tile.again
tile.kernel @grouped(%q: !global, %k: !tile.global<?x?x16xbf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile.shared<2x64x16xbf16, #tile.swizzle<32>>
    %wb = tile.window %k[%i, %c0, %c0] dims = [0, 1, 2] : !tile.global<?x?x16xbf16> to !tile.window<2x64x16xbf16>
    tile.copy %wb, %b : !tile.window<2x64x16xbf16> to !tile.shared<2x64x16xbf16, #tile.swizzle<32>>
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile.shared<2x64x16xbf16, #tile.swizzle<32>>, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Keys stand in the columns.
// CHECK-LABEL: tile.kernel @keys_in_columns(
// CHECK-NOT: tile.again
tile.kernel @keys_in_columns(%q: !global, %k: !tile.global<?x64xbf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile.shared<16x64xbf16, #tile.swizzle<128>>
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<16x64xbf16>
    tile.copy %wb, %b : !tile.window<16x64xbf16> to !tile.shared<16x64xbf16, #tile.swizzle<128>>
    %s = tile.gemm %a, %b, %acc : !tile, !tile.shared<16x64xbf16, #tile.swizzle<128>>, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Queries stand in the columns.
// CHECK-LABEL: tile.kernel @queries_in_columns(
// CHECK-NOT: tile.again
tile.kernel @queries_in_columns(%q: !tile.global<?x64xbf16>, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<16x64xbf16>
  tile.copy %wa, %a : !tile.window<16x64xbf16> to !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_a, transpose_b} : !tile.shared<16x64xbf16, #tile.swizzle<128>>, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// The product is added to something.
// CHECK-LABEL: tile.kernel @adds_up(
// CHECK-NOT: tile.again
tile.kernel @adds_up(%q: !global, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<1.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Operands of 8 bits.
// CHECK-LABEL: tile.kernel @bytes(
// CHECK-NOT: tile.again
tile.kernel @bytes(%q: !tile.global<?x32xf8E4M3FN>, %k: !tile.global<?x32xf8E4M3FN>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile.shared<64x32xf8E4M3FN, #tile.swizzle<32>>
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !tile.global<?x32xf8E4M3FN> to !tile.window<64x32xf8E4M3FN>
  tile.copy %wa, %a : !tile.window<64x32xf8E4M3FN> to !tile.shared<64x32xf8E4M3FN, #tile.swizzle<32>>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile.shared<64x32xf8E4M3FN, #tile.swizzle<32>>
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !tile.global<?x32xf8E4M3FN> to !tile.window<64x32xf8E4M3FN>
    tile.copy %wb, %b : !tile.window<64x32xf8E4M3FN> to !tile.shared<64x32xf8E4M3FN, #tile.swizzle<32>>
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<64x32xf8E4M3FN, #tile.swizzle<32>>, !tile.shared<64x32xf8E4M3FN, #tile.swizzle<32>>, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// 48 columns are no multiple of 32.
// CHECK-LABEL: tile.kernel @parts(
// CHECK-NOT: tile.again
tile.kernel @parts(%q: !global, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : tensor<64x48xf32, #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 6]], warps = []>>
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile.shared<48x16xbf16, #tile.swizzle<32>>
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !tile.window<48x16xbf16>
    tile.copy %wb, %b : !tile.window<48x16xbf16> to !tile.shared<48x16xbf16, #tile.swizzle<32>>
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile.shared<48x16xbf16, #tile.swizzle<32>>, tensor<64x48xf32, #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 6]], warps = []>>
    %most = tile.reduce max %s axis = 1 : tensor<64x48xf32, #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 6]], warps = []>> to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// The maximum is of two products.
// CHECK-LABEL: tile.kernel @two_products(
// CHECK-NOT: tile.again
tile.kernel @two_products(%q: !global, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !global to !window
  tile.copy %wa, %a : !window to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %s2 = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %sum = arith.addf %s, %s2 : !scores
    %most = tile.reduce max %sum axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Operands of f16, whose weights are not presumed.
// CHECK-LABEL: tile.kernel @half_floats(
// CHECK-NOT: tile.again
tile.kernel @half_floats(%q: !tile.global<?x16xf16>, %k: !tile.global<?x16xf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile.shared<64x16xf16, #tile.swizzle<32>>
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !tile.global<?x16xf16> to !tile.window<64x16xf16>
  tile.copy %wa, %a : !tile.window<64x16xf16> to !tile.shared<64x16xf16, #tile.swizzle<32>>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile.shared<64x16xf16, #tile.swizzle<32>>
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !tile.global<?x16xf16> to !tile.window<64x16xf16>
    tile.copy %wb, %b : !tile.window<64x16xf16> to !tile.shared<64x16xf16, #tile.swizzle<32>>
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<64x16xf16, #tile.swizzle<32>>, !tile.shared<64x16xf16, #tile.swizzle<32>>, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

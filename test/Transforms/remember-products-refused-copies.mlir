// RUN: tile-opt %s -tile-remember-products | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = []>
#keys = #tile.frag<reg = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], repeat = [[0, 4]], warps = []>
#acc3 = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = [[0, 3]]>
#row3 = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = [[0, 3]]>
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

// Keys that are not there are no zeros.
// CHECK-LABEL: tile.kernel @pad(
// CHECK-NOT: tile.again
tile.kernel @pad(%q: !global, %k: !global, %n: i64) {
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
    tile.copy %wb, %b pad 1.0 : bf16 : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Which of two copies the keys are of is not said.
// CHECK-LABEL: tile.kernel @two_copies(
// CHECK-NOT: tile.again
tile.kernel @two_copies(%q: !global, %k: !global, %n: i64) {
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
    %other = tile.window %k[%n, %c0] dims = [0, 1] : !global to !window
    tile.copy %other, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Something else writes the keys, too.
// CHECK-LABEL: tile.kernel @stored(
// CHECK-NOT: tile.again
tile.kernel @stored(%q: !global, %k: !global, %n: i64) {
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
    %keys = tile.load %b : !tile to tensor<64x16xbf16, #keys>
    tile.store %keys, %b : tensor<64x16xbf16, #keys> to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Where the keys stand is computed in a branch.
// CHECK-LABEL: tile.kernel @chosen_place(
// CHECK-NOT: tile.again
tile.kernel @chosen_place(%q: !global, %k: !global, %n: i64) {
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
    %inside = arith.cmpi slt, %i, %c1 : i64
    %from = scf.if %inside -> (i64) {
      scf.yield %c0 : i64
    } else {
      scf.yield %i : i64
    }
    %wb = tile.window %k[%from, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// The window may end before the row does.
// CHECK-LABEL: tile.kernel @limit(
// CHECK-NOT: tile.again
tile.kernel @limit(%q: !global, %k: !global, %n: i64) {
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
    %wb = tile.window %k[%i, %c0] dims = [0, 1] upto[%n, %n] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// The kernel writes the keys.
// CHECK-LABEL: tile.kernel @written(
// CHECK-NOT: tile.again
tile.kernel @written(%q: !global, %k: !global, %n: i64) {
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
    %kf = tile.load %b : !tile to tensor<64x16xbf16, #keys>
    tile.store %kf, %wb : tensor<64x16xbf16, #keys> to !window
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Not each iteration copies keys.
// CHECK-LABEL: tile.kernel @at_times(
// CHECK-NOT: tile.again
tile.kernel @at_times(%q: !global, %k: !global, %n: i64) {
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
    %odd = arith.cmpi slt, %i, %n : i64
    scf.if %odd {
      tile.copy %wb, %b : !window to !tile
    }
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// The keys come behind the product.
// CHECK-LABEL: tile.kernel @after(
// CHECK-NOT: tile.again
tile.kernel @after(%q: !global, %k: !global, %n: i64) {
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
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Half of the keys come from nowhere.
// CHECK-LABEL: tile.kernel @half(
// CHECK-NOT: tile.again
tile.kernel @half(%q: !global, %k: !global, %n: i64) {
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
    %half = tile.slice %b[%c0, %c0] : !tile to !tile.shared<32x16xbf16, #tile.swizzle<32>>
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !tile.window<32x16xbf16>
    tile.copy %wb, %half : !tile.window<32x16xbf16> to !tile.shared<32x16xbf16, #tile.swizzle<32>>
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Eight heads of 24 queries: no layout keeps the heads apart.
// CHECK-LABEL: tile.kernel @many_heads(
// CHECK-NOT: tile.again
tile.kernel @many_heads(%q: !tile.global<?x?x16xbf16>, %k: !global, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %acc = arith.constant dense<0.0> : tensor<192x64xf32, #acc3>
  %none = arith.constant dense<0xFF800000> : tensor<192xf32, #row3>
  %any = arith.constant dense<true> : tensor<192xi1, #row3>
  %a = tile.alloc_shared : !tile.shared<192x16xbf16, #tile.swizzle<32>>
  %wa = tile.window %q[%n, %c0, %c0] dims = [0, 1, 2] : !tile.global<?x?x16xbf16> to !tile.window<8x24x16xbf16>
  tile.copy %wa, %a : !tile.window<8x24x16xbf16> to !tile.shared<192x16xbf16, #tile.swizzle<32>>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (tensor<192xf32, #row3>) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !global to !window
    tile.copy %wb, %b : !window to !tile
    %s = tile.gemm %a, %b, %acc {transpose_b} : !tile.shared<192x16xbf16, #tile.swizzle<32>>, !tile, tensor<192x64xf32, #acc3>
    %most = tile.reduce max %s axis = 1 : tensor<192x64xf32, #acc3> to tensor<192xf32, #row3>
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<192xi1, #row3>, tensor<192xf32, #row3>
    scf.yield %follows : tensor<192xf32, #row3>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

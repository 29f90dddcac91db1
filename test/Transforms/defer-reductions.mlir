// RUN: tile-opt %s -tile-defer-reductions | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = []>
#wide = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], repeat = [[1, 2]], warps = [[1, 4]]>
#widerow = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [], repeat = [], warps = [[-1, 4]]>
#split = #tile.frag<reg = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], repeat = [[1, 4]], warps = [[0, 2]]>
#splitrow = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 2]]>
!tile = tensor<64x64xf32, #acc>
!row = tensor<64xf32, #row>

// The four lanes of a quad keep their own sums.
// CHECK: #[[PART:.*]] = #tile.frag<reg = {{\[}}[8, 0]], lane = {{\[}}[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = {{\[}}[16, 0], [32, 0]], repeat = [], warps = []>
// CHECK-LABEL: tile.kernel @softmax_sum
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #[[PART]]>
// CHECK: %[[T:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[ZERO]]) -> (tensor<64x4xf32, #[[PART]]>)
// CHECK: %[[B:.*]] = tile.broadcast %[[DECAY:.*]] dims = [0] : tensor<64xf32, {{.*}}> to tensor<64x4xf32, #[[PART]]>
// CHECK: %[[D:.*]] = arith.mulf %[[S]], %[[B]]
// CHECK: %[[P:.*]] = tile.reduce{{ +}}sum %{{.*}} axis = 1 {partial}
// CHECK: %[[N:.*]] = arith.addf %[[D]], %[[P]] : tensor<64x4xf32, #[[PART]]>
// CHECK: scf.yield %[[N]]
// CHECK: } {tile.pipeline
// CHECK: %[[R:.*]] = tile.reduce{{ +}}sum %[[T]] axis = 1 : tensor<64x4xf32, #[[PART]]> to tensor<64xf32
// CHECK: tile.store %[[R]]
tile.kernel @softmax_sum(%g: !tile.global<?x64xf32>, %v: !tile.global<?xf32>, %n: i64) {
  %lo = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !row
  %w = tile.window %g[%n, %lo] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %u = tile.window %v[%n] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %r = scf.for %i = %lo to %n step %one iter_args(%s = %zero) -> (!row) : i64 {
    %x = tile.load %w : !tile.window<64x64xf32> to !tile
    %decay = tile.load %u : !tile.window<64xf32> to !row
    %d = arith.mulf %s, %decay : !row
    %p = tile.reduce sum %x axis = 1 : !tile to !row
    %t = arith.addf %d, %p : !row
    scf.yield %t : !row
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.store %r, %u : !row to !tile.window<64xf32>
  tile.return
}

// Four lanes of each of four warps: sixteen parts. A maximum starts with copies.
// CHECK-LABEL: tile.kernel @max_over_warps
// CHECK: %[[COPIES:.*]] = tile.broadcast %{{.*}} dims = [0] : tensor<16xf32, {{.*}}> to tensor<16x16xf32, #[[WIDE:.*]]>
// CHECK: scf.for {{.*}} = %[[COPIES]]) -> (tensor<16x16xf32, #[[WIDE]]>)
// CHECK: tile.reduce{{ +}}max %{{.*}} {partial} : {{.*}} to tensor<16x16xf32, #[[WIDE]]>
// CHECK: tile.reduce{{ +}}max %{{.*}} axis = 1 : tensor<16x16xf32, #[[WIDE]]> to tensor<16xf32
tile.kernel @max_over_warps(%g: !tile.global<?x64xf32>, %v: !tile.global<?xf32>, %n: i64) {
  %lo = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %w = tile.window %g[%n, %lo] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<16x64xf32>
  %u = tile.window %v[%n] dims = [0] : !tile.global<?xf32> to !tile.window<16xf32>
  %start = tile.load %u : !tile.window<16xf32> to tensor<16xf32, #widerow>
  %r = scf.for %i = %lo to %n step %one iter_args(%s = %start) -> (tensor<16xf32, #widerow>) : i64 {
    %x = tile.load %w : !tile.window<16x64xf32> to tensor<16x64xf32, #wide>
    %p = tile.reduce max %x axis = 1 : tensor<16x64xf32, #wide> to tensor<16xf32, #widerow>
    %t = arith.maxnumf %p, %s : tensor<16xf32, #widerow>
    scf.yield %t : tensor<16xf32, #widerow>
  }
  tile.store %r, %u : tensor<16xf32, #widerow> to !tile.window<16xf32>
  tile.return
}

// Used in the loop; a sum that starts with something; a row that one thread holds.
// CHECK-LABEL: tile.kernel @keep
// CHECK-NOT: partial
// CHECK: tile.return
tile.kernel @keep(%g: !tile.global<?x64xf32>, %v: !tile.global<?xf32>, %n: i64) {
  %lo = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !row
  %zeros = arith.constant dense<0.0> : tensor<64xf32, #splitrow>
  %w = tile.window %g[%n, %lo] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %h = tile.window %g[%n, %lo] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x4xf32>
  %u = tile.window %v[%n] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %start = tile.load %u : !tile.window<64xf32> to !row
  %r:3 = scf.for %i = %lo to %n step %one iter_args(%a = %zero, %b = %start, %c = %zeros) -> (!row, !row, tensor<64xf32, #splitrow>) : i64 {
    %x = tile.load %w : !tile.window<64x64xf32> to !tile
    %p = tile.reduce sum %x axis = 1 : !tile to !row
    %t = arith.addf %a, %p : !row
    tile.store %a, %u : !row to !tile.window<64xf32>
    %q = tile.reduce sum %x axis = 1 : !tile to !row
    %s = arith.addf %b, %q : !row
    %y = tile.load %h : !tile.window<64x4xf32> to tensor<64x4xf32, #split>
    %z = tile.reduce sum %y axis = 1 : tensor<64x4xf32, #split> to tensor<64xf32, #splitrow>
    %o = arith.addf %c, %z : tensor<64xf32, #splitrow>
    scf.yield %t, %s, %o : !row, !row, tensor<64xf32, #splitrow>
  }
  tile.store %r#0, %u : !row to !tile.window<64xf32>
  tile.store %r#1, %u : !row to !tile.window<64xf32>
  tile.store %r#2, %u : tensor<64xf32, #splitrow> to !tile.window<64xf32>
  tile.return
}

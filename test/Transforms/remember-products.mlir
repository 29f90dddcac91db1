// RUN: tile-opt %s -tile-remember-products | FileCheck %s

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 8]], warps = []>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = []>
#operand = #tile.frag<reg = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [], warps = []>
!scores = tensor<64x64xf32, #acc>
!rows = tensor<64xf32, #row>
!tile = !tile.shared<64x16xbf16, #tile.swizzle<32>>

// A term at a time, of 32 columns: an element of each query times one of each key. The keys' place is computed again;
// limits hold. All uses take the scores that can be computed again.
// CHECK-DAG: #[[ACC:.*]] = #tile.frag<{{.*}}, repeat = {{\[}}[1, 8]], warps = []>
// CHECK-DAG: #[[PART:.*]] = #tile.frag<{{.*}}, repeat = {{\[}}[1, 4]], warps = []>
// CHECK-DAG: #[[ROW:.*]] = #tile.frag<reg = {{\[}}[8]], lane = {{\[}}[0], [0], [1], [2], [4]], {{.*}}>
// CHECK-DAG: #[[COLUMN:.*]] = #tile.frag<reg = {{\[}}[1]], lane = {{\[}}[2], [4], [0], [0], [0]], {{.*}}>
// CHECK-LABEL: tile.kernel @shared_queries
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[LIST:[^:]*]]: {{[^,]*}}, %[[M:[^:]*]]: i64, %[[N:[^:]*]]: i64)
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[S:.*]] = tile.gemm
// CHECK-NEXT: %[[AGAIN:.*]] = tile.again %[[S]] {
// CHECK:   %[[ENTRY:.*]] = tile.load_scalar %[[LIST]][%[[I]]]
// CHECK:   %[[WIDE:.*]] = arith.extsi %[[ENTRY]]
// CHECK:   %[[FROM:.*]] = arith.muli %[[WIDE]], %{{.*}}
// CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #[[PART]]>
// CHECK:   %[[END:[^ ]*]] = arith.constant 16 : i64
// CHECK:   %[[LEFT:.*]] = scf.for %[[D:[^ ]*]] = %{{.*}} to %[[END]] step %{{.*}} iter_args(%[[SUM:[^ ]*]] = %[[ZERO]])
// CHECK:     %[[QROW:.*]] = arith.addi %[[M]], %{{.*}}
// CHECK:     %[[QCOL:.*]] = arith.addi %{{.*}}, %[[D]]
// CHECK:     %[[QW:.*]] = tile.window %[[Q]][%[[QROW]], %[[QCOL]]] dims = [0] upto[%[[M]]] : <?x16xbf16> to <64xbf16>
// CHECK:     %[[QE:.*]] = tile.load %[[QW]] : !tile.window<64xbf16> to tensor<64xbf16, #[[ROW]]>
// CHECK:     %[[QF:.*]] = arith.extf %[[QE]]
// CHECK:     %[[A:.*]] = tile.broadcast %[[QF]] dims = [0] : {{.*}} to tensor<64x32xf32, #[[PART]]>
// CHECK:     %[[FIRST:.*]] = arith.constant 0 : i64
// CHECK:     %[[KROW:.*]] = arith.addi %[[FROM]], %[[FIRST]]
// CHECK:     %[[KCOL:.*]] = arith.addi %{{.*}}, %[[D]]
// CHECK:     %[[KW:.*]] = tile.window %[[K]][%[[KROW]], %[[KCOL]]] dims = [0] upto[%[[N]]] : <?x16xbf16> to <32xbf16>
// CHECK:     %[[KE:.*]] = tile.load %[[KW]] : !tile.window<32xbf16> to tensor<32xbf16, #[[COLUMN]]>
// CHECK:     %[[KF:.*]] = arith.extf %[[KE]]
// CHECK:     %[[B:.*]] = tile.broadcast %[[KF]] dims = [1] : {{.*}} to tensor<64x32xf32, #[[PART]]>
// CHECK:     %[[TERM:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK:     %[[NEXT:.*]] = arith.addf %[[SUM]], %[[TERM]]
// CHECK:     scf.yield %[[NEXT]]
// CHECK:   %[[RIGHT:.*]] = scf.for
// CHECK:     %[[SECOND:.*]] = arith.constant 32 : i64
// CHECK:     %[[KROW2:.*]] = arith.addi %[[FROM]], %[[SECOND]]
// CHECK:     tile.window %[[K]][%[[KROW2]], %{{.*}}] dims = [0] upto[%[[N]]] : <?x16xbf16> to <32xbf16>
// CHECK:   %[[STACK:.*]] = tile.stack %[[LEFT]], %[[RIGHT]] axis = 1 : {{.*}} to tensor<64x2x32xf32
// CHECK:   %[[BOTH:.*]] = tile.join %[[STACK]] axis = 1 : {{.*}} to tensor<64x64xf32, #[[ACC]]>
// CHECK:   tile.yield %[[BOTH]]
// CHECK: tile.reduce {{ *}}max %[[AGAIN]]
// CHECK: arith.addf %{{.*}}, %[[AGAIN]]
tile.kernel @shared_queries(%q: !tile.global<?x16xbf16>, %k: !tile.global<?x16xbf16>, %list: !tile.global<?xi32>, %m: i64, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %lag = arith.constant dense<8.0> : !rows
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%m, %c0] dims = [0, 1] upto[%m, %c16] : !tile.global<?x16xbf16> to !tile.window<64x16xbf16>
  tile.copy %wa, %a : !tile.window<64x16xbf16> to !tile
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none, %sum = %zero) -> (!rows, !scores) : i64 {
    %b = tile.alloc_shared : !tile
    %entry = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %wide = arith.extsi %entry : i32 to i64
    %from = arith.muli %wide, %c64 : i64
    %wb = tile.window %k[%from, %c0] dims = [0, 1] upto[%n, %c16] : !tile.global<?x16xbf16> to !tile.window<64x16xbf16>
    tile.copy %wb, %b : !tile.window<64x16xbf16> to !tile
    %s = tile.gemm %a, %b, %zero {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %above = arith.subf %most, %reference : !rows
    %grown = arith.cmpf ogt, %above, %lag : !rows
    %follows = arith.select %grown, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    %next = arith.addf %sum, %s : !scores
    scf.yield %follows, %next : !rows, !scores
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Queries in registers, from a window; the keys of two copies, each into half of the tile. Between the product and the
// maximum stands a branch with a mask.
// CHECK-LABEL: tile.kernel @queries_in_registers
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[N:[^:]*]]: i64)
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[S:.*]] = tile.gemm
// CHECK-NEXT: %[[AGAIN:.*]] = tile.again %[[S]] {
// CHECK:   %[[LEFT:.*]] = scf.for
// CHECK:     tile.window %[[Q]][%{{.*}}, %{{.*}}] dims = [0] : <?x16xbf16> to <64xbf16>
// CHECK:     %[[KROW:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK:     tile.window %[[K]][%[[KROW]], %{{.*}}] dims = [0] : <?x16xbf16> to <32xbf16>
// CHECK:   %[[RIGHT:.*]] = scf.for
// CHECK:     tile.window %[[Q]][%{{.*}}, %{{.*}}] dims = [0] : <?x16xbf16> to <64xbf16>
// CHECK:     %[[KROW2:.*]] = arith.addi %[[N]], %{{.*}}
// CHECK:     tile.window %[[K]][%[[KROW2]], %{{.*}}] dims = [0] : <?x16xbf16> to <32xbf16>
// CHECK:   tile.stack %[[LEFT]], %[[RIGHT]]
// CHECK:   tile.yield
// CHECK: scf.if
// CHECK: scf.yield %[[AGAIN]]
tile.kernel @queries_in_registers(%q: !tile.global<?x16xbf16>, %k: !tile.global<?x16xbf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %zero = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %wa = tile.window %q[%n, %c0] dims = [0, 1] : !tile.global<?x16xbf16> to !tile.window<64x16xbf16>
  %a = tile.load %wa : !tile.window<64x16xbf16> to tensor<64x16xbf16, #operand>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %late = tile.slice %b[%c32, %c0] : !tile to !tile.shared<32x16xbf16, #tile.swizzle<32>>
    %early = tile.slice %b[%c0, %c0] : !tile to !tile.shared<32x16xbf16, #tile.swizzle<32>>
    %w1 = tile.window %k[%n, %c0] dims = [0, 1] : !tile.global<?x16xbf16> to !tile.window<32x16xbf16>
    %w0 = tile.window %k[%i, %c0] dims = [0, 1] : !tile.global<?x16xbf16> to !tile.window<32x16xbf16>
    tile.copy %w1, %late : !tile.window<32x16xbf16> to !tile.shared<32x16xbf16, #tile.swizzle<32>>
    tile.copy %w0, %early : !tile.window<32x16xbf16> to !tile.shared<32x16xbf16, #tile.swizzle<32>>
    %s = tile.gemm %a, %b, %zero {transpose_b} : tensor<64x16xbf16, #operand>, !tile, !scores
    %inside = arith.cmpi slt, %i, %c32 : i64
    %m = scf.if %inside -> (!scores) {
      scf.yield %s : !scores
    } else {
      %masked = arith.negf %s : !scores
      scf.yield %masked : !scores
    }
    %most = tile.reduce max %m axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// Queries of several heads: their rows are joined.
// CHECK-LABEL: tile.kernel @heads
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[N:[^:]*]]: i64)
// CHECK: tile.again
// CHECK:   %[[QROW:.*]] = arith.addi %[[N]], %{{.*}}
// CHECK:   %[[QCOL:.*]] = arith.addi %{{.*}}, %{{.*}}
// CHECK:   %[[QW:.*]] = tile.window %[[Q]][%[[QROW]], %{{.*}}, %[[QCOL]]] dims = [0, 1] upto[%[[N]], %{{.*}}] : <?x?x16xbf16> to <4x16xbf16>
// CHECK:   %[[QE:.*]] = tile.load %[[QW]] : !tile.window<4x16xbf16> to tensor<4x16xbf16, {{.*}}>
// CHECK:   %[[ROWS:.*]] = tile.join %[[QE]] axis = 0 : {{.*}} to tensor<64xbf16, {{.*}}>
// CHECK:   arith.extf %[[ROWS]]
// CHECK:   tile.yield
tile.kernel @heads(%q: !tile.global<?x?x16xbf16>, %k: !tile.global<?x16xbf16>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0xFF800000> : !rows
  %any = arith.constant dense<true> : tensor<64xi1, #row>
  %a = tile.alloc_shared : !tile
  %wa = tile.window %q[%n, %c0, %c0] dims = [0, 1, 2] upto[%n, %c16, %c16] : !tile.global<?x?x16xbf16> to !tile.window<4x16x16xbf16>
  tile.copy %wa, %a : !tile.window<4x16x16xbf16> to !tile
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%reference = %none) -> (!rows) : i64 {
    %b = tile.alloc_shared : !tile
    %wb = tile.window %k[%i, %c0] dims = [0, 1] : !tile.global<?x16xbf16> to !tile.window<64x16xbf16>
    tile.copy %wb, %b : !tile.window<64x16xbf16> to !tile
    %s = tile.gemm %a, %b, %zero {transpose_b} : !tile, !tile, !scores
    %most = tile.reduce max %s axis = 1 : !scores to !rows
    %follows = arith.select %any, %most, %reference {tile.follows = 8.0 : f32} : tensor<64xi1, #row>, !rows
    scf.yield %follows : !rows
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// RUN: tile-opt %s -split-input-file -tile-assign-layouts | FileCheck %s

// The maximum of a row, sliced from S [m,n], and the rescaling of O [m,d] have one layout: nothing is
// converted, and P is the second product's operand as it is.
// CHECK-DAG: #[[S:.*]] = #tile.frag<reg = {{\[}}[0, 1], [8, 0]], lane = {{\[}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[}}[16, 0], [32, 0]], repeat = {{\[}}[1, 8]], warps = {{\[}}[0, 2]]>
// CHECK-DAG: #[[O:.*]] = #tile.frag<reg = {{\[}}[0, 1], [8, 0]], lane = {{\[}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[}}[16, 0], [32, 0]], repeat = {{\[}}[1, 16]], warps = {{\[}}[0, 2]]>
// CHECK-DAG: #[[ROW:.*]] = #tile.frag<reg = {{\[}}[8]], lane = {{\[}}[0], [0], [1], [2], [4]], warp = {{\[}}[16], [32]], repeat = [], warps = {{\[}}[0, 2]]>
// CHECK-LABEL: tile.kernel @attention
// CHECK-SAME: tile.num_warps = 8
// CHECK-NOT: tile.convert_layout
// CHECK: tile.alloc_shared : <128x128xbf16, #tile.swizzle<128>>
// CHECK: tile.gemm {{.*}} tensor<128x64xf32, #[[S]]>
// CHECK: tile.reduce max {{.*}} tensor<128x64xf32, #[[S]]> to tensor<128xf32, #[[ROW]]>
// CHECK: arith.truncf {{.*}} to tensor<128x64xbf16, #[[S]]>
// CHECK: tile.broadcast {{.*}} tensor<128xf32, #[[ROW]]> to tensor<128x128xf32, #[[O]]>
// CHECK: tile.gemm {{.*}} tensor<128x64xbf16, #[[S]]>, {{.*}} tensor<128x128xf32, #[[O]]>
// CHECK-NOT: tile.convert_layout
tile.kernel @attention(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %o0 = arith.constant dense<0.0> : tensor<128x128xf32>
  %s0 = arith.constant dense<0.0> : tensor<128x64xf32>
  %m0 = arith.constant dense<0xFF800000> : tensor<128xf32>
  %q = tile.alloc_shared : !tile.shared<128x128xbf16>
  %k = tile.alloc_shared : !tile.shared<64x128xbf16>
  %v = tile.alloc_shared : !tile.shared<64x128xbf16>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %o0, %m = %m0) -> (tensor<128x128xf32>, tensor<128xf32>) : i64 {
    %s = tile.gemm %q, %k, %s0 {transpose_b} : !tile.shared<128x128xbf16>, !tile.shared<64x128xbf16>, tensor<128x64xf32>
    %max = tile.reduce max %s axis = 1 : tensor<128x64xf32> to tensor<128xf32>
    %new = arith.maxnumf %m, %max : tensor<128xf32>
    %shift = tile.broadcast %new dims = [0] : tensor<128xf32> to tensor<128x64xf32>
    %d = arith.subf %s, %shift : tensor<128x64xf32>
    %p = math.exp2 %d : tensor<128x64xf32>
    %p16 = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xbf16>
    %dm = arith.subf %m, %new : tensor<128xf32>
    %decay = math.exp2 %dm : tensor<128xf32>
    %decays = tile.broadcast %decay dims = [0] : tensor<128xf32> to tensor<128x128xf32>
    %scaled = arith.mulf %o, %decays : tensor<128x128xf32>
    %next = tile.gemm %p16, %v, %scaled : tensor<128x64xbf16>, !tile.shared<64x128xbf16>, tensor<128x128xf32>
    scf.yield %next, %new : tensor<128x128xf32>, tensor<128xf32>
  }
  tile.return
}

// -----

// 256 rows: two warpgroups, each with two blocks of 64 rows.
// CHECK: #tile.frag<{{.*}} warp = {{\[}}[16, 0], [32, 0]], repeat = {{\[}}[1, 3], [0, 2]], warps = {{\[}}[0, 2]]>
// CHECK-LABEL: tile.kernel @rows_256
// CHECK-SAME: tile.num_warps = 8
// 24 columns stored last are 48 bytes, which no swizzle divides; stored first they are 32 bytes of K.
// CHECK: tile.alloc_shared : <24x16xbf16, #tile.swizzle<32>>
tile.kernel @rows_256() {
  %a = tile.alloc_shared : !tile.shared<256x16xbf16>
  %b = tile.alloc_shared : !tile.shared<24x16xbf16>
  %zero = arith.constant dense<0.0> : tensor<256x24xf32>
  %r = tile.gemm %a, %b, %zero {transpose_b} : !tile.shared<256x16xbf16>, !tile.shared<24x16xbf16>, tensor<256x24xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @rows_192
// CHECK-SAME: tile.num_warps = 12
tile.kernel @rows_192() {
  %a = tile.alloc_shared : !tile.shared<192x16xf16>
  %b = tile.alloc_shared : !tile.shared<16x32xf16>
  %zero = arith.constant dense<0.0> : tensor<192x32xf32>
  %r = tile.gemm %a, %b, %zero : !tile.shared<192x16xf16>, !tile.shared<16x32xf16>, tensor<192x32xf32>
  tile.return
}

// -----

// The second product has one block of rows for two warpgroups: they share its columns, and B's slabs
// must not be wider than half of them.
// CHECK-DAG: #[[WIDE:.*]] = #tile.frag<{{.*}} repeat = {{\[}}[1, 4]], warps = {{\[}}[0, 2]]>
// CHECK-DAG: #[[SPLIT:.*]] = #tile.frag<{{.*}} repeat = {{\[}}[1, 4]], warps = {{\[}}[1, 2]]>
// CHECK-LABEL: tile.kernel @split_columns
// CHECK: tile.alloc_shared : <16x64xf16, #tile.swizzle<64>>
// CHECK: tile.gemm {{.*}} tensor<128x32xf32, #[[WIDE]]>
// CHECK: tile.gemm {{.*}} tensor<64x64xf32, #[[SPLIT]]>
tile.kernel @split_columns() {
  %a = tile.alloc_shared : !tile.shared<128x16xf16>
  %b = tile.alloc_shared : !tile.shared<16x32xf16>
  %c = tile.alloc_shared : !tile.shared<64x16xf16>
  %d = tile.alloc_shared : !tile.shared<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero2 = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.gemm %a, %b, %zero : !tile.shared<128x16xf16>, !tile.shared<16x32xf16>, tensor<128x32xf32>
  %s = tile.gemm %c, %d, %zero2 : !tile.shared<64x16xf16>, !tile.shared<16x64xf16>, tensor<64x64xf32>
  tile.return
}

// -----

// 8 query heads of a decode step: mma.sync, padded to 16 rows, four warps over the keys. P then needs
// all keys in each warp.
// CHECK-DAG: #[[ACC:.*]] = #tile.frag<reg = {{.*}}, warp = [], repeat = {{\[}}[1, 2]], warps = {{\[}}[1, 4]]>
// CHECK-DAG: #[[P:.*]] = #tile.frag<reg = {{.*}}, warp = [], repeat = {{\[}}[1, 8]], warps = {{\[}}[-1, 4]]>
// CHECK-LABEL: tile.kernel @decode
// CHECK-SAME: tile.num_warps = 4
// CHECK: tile.convert_layout {{.*}} : tensor<8x64xbf16, #[[ACC]]> to tensor<8x64xbf16, #[[P]]>
tile.kernel @decode() {
  %q = tile.alloc_shared : !tile.shared<8x128xbf16>
  %k = tile.alloc_shared : !tile.shared<64x128xbf16>
  %v = tile.alloc_shared : !tile.shared<64x128xbf16>
  %s0 = arith.constant dense<0.0> : tensor<8x64xf32>
  %o0 = arith.constant dense<0.0> : tensor<8x128xf32>
  %s = tile.gemm %q, %k, %s0 {transpose_b} : !tile.shared<8x128xbf16>, !tile.shared<64x128xbf16>, tensor<8x64xf32>
  %p = arith.truncf %s : tensor<8x64xf32> to tensor<8x64xbf16>
  %o = tile.gemm %p, %v, %o0 : tensor<8x64xbf16>, !tile.shared<64x128xbf16>, tensor<8x128xf32>
  tile.return
}

// -----

// Without a product: coalesced, 16 bytes of the wider type per access; it moves more bytes.
// CHECK: #[[ROWS:.*]] = #tile.frag<reg = {{\[}}[0, 1], [0, 2]], lane = {{\[}}[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [], repeat = {{\[}}[0, 8]], warps = {{\[}}[0, 4]]>
// CHECK-LABEL: tile.kernel @widen
// CHECK-SAME: tile.num_warps = 4
// CHECK: arith.extf {{.*}} : tensor<64x64xbf16, #[[ROWS]]> to tensor<64x64xf32, #[[ROWS]]>
// CHECK-NOT: tile.convert_layout
tile.kernel @widen(%x: !tile.global<?x64xbf16>, %y: !tile.global<?x64xf32>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %z = tile.window %y[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %l = tile.load %w : !tile.window<64x64xbf16> to tensor<64x64xbf16>
  %e = arith.extf %l : tensor<64x64xbf16> to tensor<64x64xf32>
  tile.store %e, %z : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// -----

// Extents that no power of two divides are covered, with padding.
// CHECK-LABEL: tile.kernel @odd_extents
// CHECK: tile.load {{.*}} to tensor<100xf32, #{{.*}}>
// CHECK: tile.load {{.*}} to tensor<3x7xf32, #{{.*}}>
tile.kernel @odd_extents(%x: !tile.global<?xf32>, %y: !tile.global<?x7xf32>, %o: i64) {
  %w = tile.window %x[%o] dims = [0] : !tile.global<?xf32> to !tile.window<100xf32>
  %z = tile.window %y[%o, %o] dims = [0, 1] : !tile.global<?x7xf32> to !tile.window<3x7xf32>
  %l = tile.load %w : !tile.window<100xf32> to tensor<100xf32>
  %m = tile.load %z : !tile.window<3x7xf32> to tensor<3x7xf32>
  tile.return
}

// -----

// Two reductions of one tile along different axes meet: one of the two vectors is converted, not
// the tile.
// CHECK-LABEL: tile.kernel @rows_and_columns
// CHECK: tile.convert_layout {{.*}} : tensor<64xf32
// CHECK-NOT: tile.convert_layout
tile.kernel @rows_and_columns(%x: !tile.global<?x64xf32>, %y: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %z = tile.window %y[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %l = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %rows = tile.reduce sum %l axis = 1 : tensor<64x64xf32> to tensor<64xf32>
  %columns = tile.reduce sum %l axis = 0 : tensor<64x64xf32> to tensor<64xf32>
  %both = arith.addf %rows, %columns : tensor<64xf32>
  tile.store %both, %z : tensor<64xf32> to !tile.window<64xf32>
  tile.return
}

// -----

// A conflict between a loop and its surroundings is paid outside the loop.
// CHECK-LABEL: tile.kernel @outside_the_loop
// CHECK: tile.reduce sum
// CHECK-NEXT: tile.convert_layout
// CHECK: scf.for
// CHECK-NOT: tile.convert_layout
tile.kernel @outside_the_loop(%x: !tile.global<?x64xf32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %l = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %start = tile.reduce sum %l axis = 0 : tensor<64x64xf32> to tensor<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> (tensor<64xf32>) : i64 {
    %t = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
    %rows = tile.reduce sum %t axis = 1 : tensor<64x64xf32> to tensor<64xf32>
    %b = arith.addf %a, %rows : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  tile.return
}

// -----

// Branches and while loops carry layouts too; a constant is remade for each use.
// CHECK-DAG: #[[A:.*]] = #tile.frag<{{.*}} warp = {{\[}}[16, 0], [32, 0]], {{.*}}>
// CHECK-LABEL: tile.kernel @branch
// CHECK: scf.if {{.*}} -> (tensor<64x16xf32, #[[A]]>)
// CHECK: scf.while {{.*}} : (tensor<64x16xf32, #[[A]]>) -> tensor<64x16xf32, #[[A]]>
// CHECK-NOT: tile.convert_layout
tile.kernel @branch(%take: i1) {
  %a = tile.alloc_shared : !tile.shared<64x16xf16>
  %b = tile.alloc_shared : !tile.shared<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %r = scf.if %take -> (tensor<64x16xf32>) {
    %g = tile.gemm %a, %b, %zero : !tile.shared<64x16xf16>, !tile.shared<16x16xf16>, tensor<64x16xf32>
    scf.yield %g : tensor<64x16xf32>
  } else {
    scf.yield %zero : tensor<64x16xf32>
  }
  %u = scf.while (%x = %r) : (tensor<64x16xf32>) -> tensor<64x16xf32> {
    scf.condition(%take) %x : tensor<64x16xf32>
  } do {
  ^bb0(%y: tensor<64x16xf32>):
    %d = arith.addf %y, %y : tensor<64x16xf32>
    scf.yield %d : tensor<64x16xf32>
  }
  tile.return
}

// -----

// No swizzle of 128 bytes fits 96 or 160: a narrower one.
// CHECK-LABEL: tile.kernel @k_48_and_80
// CHECK: tile.alloc_shared : <64x48xbf16, #tile.swizzle<32>>
// CHECK: tile.alloc_shared : <16x48xbf16, #tile.swizzle<32>>
// CHECK: tile.alloc_shared : <64x80xbf16, #tile.swizzle<32>>
// CHECK: tile.alloc_shared : <80x96xbf16, #tile.swizzle<64>>
tile.kernel @k_48_and_80() {
  %a = tile.alloc_shared : !tile.shared<64x48xbf16>
  %b = tile.alloc_shared : !tile.shared<16x48xbf16>
  %c = tile.alloc_shared : !tile.shared<64x80xbf16>
  %d = tile.alloc_shared : !tile.shared<80x96xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %zero2 = arith.constant dense<0.0> : tensor<64x96xf32>
  %r = tile.gemm %a, %b, %zero {transpose_b} : !tile.shared<64x48xbf16>, !tile.shared<16x48xbf16>, tensor<64x16xf32>
  %s = tile.gemm %c, %d, %zero2 : !tile.shared<64x80xbf16>, !tile.shared<80x96xbf16>, tensor<64x96xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @wide_tile
// CHECK-SAME: tile.num_warps = 8
// CHECK: tile.load {{.*}} to tensor<64x8192xbf16, #{{.*}}>
tile.kernel @wide_tile(%x: !tile.global<?x8192xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x8192xbf16> to !tile.window<64x8192xbf16>
  %l = tile.load %w : !tile.window<64x8192xbf16> to tensor<64x8192xbf16>
  tile.return
}

// -----

// 8-bit operands: a step of K is 32 columns, four neighbouring ones in a register; a product's result
// has two, so it is converted on its way into the next product.
// CHECK-DAG: #[[ACC:.*]] = #tile.frag<reg = {{\[\[}}0, 1], [8, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0]], repeat = {{\[\[}}1, 8]], warps = []>
// CHECK-DAG: #[[A:.*]] = #tile.frag<reg = {{\[\[}}0, 1], [0, 2], [8, 0], [0, 16]], lane = {{\[\[}}0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0]], repeat = {{\[\[}}1, 2]], warps = []>
// CHECK-LABEL: tile.kernel @bytes
// CHECK: tile.alloc_shared : <64x128xf8E4M3FN, #tile.swizzle<128>>
// CHECK: tile.alloc_shared : <32x64xf8E5M2, #tile.swizzle<64>>
// CHECK: %[[S:.*]] = tile.gemm {{.*}} tensor<64x64xf32, #[[ACC]]>
// CHECK: %[[P:.*]] = tile.cast %[[S]] {saturate} : tensor<64x64xf32, #[[ACC]]> to tensor<64x64xf8E4M3FN, #[[ACC]]>
// CHECK: %[[Q:.*]] = tile.convert_layout %[[P]] : tensor<64x64xf8E4M3FN, #[[ACC]]> to tensor<64x64xf8E4M3FN, #[[A]]>
// CHECK: tile.gemm %[[Q]]
tile.kernel @bytes() {
  %a = tile.alloc_shared : !tile.shared<64x128xf8E4M3FN>
  %b = tile.alloc_shared : !tile.shared<64x128xf8E4M3FN>
  %v = tile.alloc_shared : !tile.shared<32x64xf8E5M2>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %s = tile.gemm %a, %b, %zero {transpose_b} : !tile.shared<64x128xf8E4M3FN>, !tile.shared<64x128xf8E4M3FN>, tensor<64x64xf32>
  %p = tile.cast %s {saturate} : tensor<64x64xf32> to tensor<64x64xf8E4M3FN>
  %o = tile.gemm %p, %v, %none {transpose_b} : tensor<64x64xf8E4M3FN>, !tile.shared<32x64xf8E5M2>, tensor<64x32xf32>
  tile.return
}

// -----

// A single row lies as it is: there are no others to be kept apart from it.
// CHECK-LABEL: tile.kernel @single_row
// CHECK: tile.alloc_shared : <1x128xf32, #tile.swizzle<0>>
// CHECK: tile.alloc_shared : <2x128xf32, #tile.swizzle<128>>
tile.kernel @single_row() {
  %a = tile.alloc_shared : !tile.shared<1x128xf32>
  %b = tile.alloc_shared : !tile.shared<2x128xf32>
  %x = tile.load %a : !tile.shared<1x128xf32> to tensor<1x128xf32>
  %y = tile.load %b : !tile.shared<2x128xf32> to tensor<2x128xf32>
  tile.return
}

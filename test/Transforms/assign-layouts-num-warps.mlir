// RUN: tile-opt %s -tile-assign-layouts=num-warps=8 | FileCheck %s
// RUN: not tile-opt %s -tile-assign-layouts=num-warps=33 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: tile-opt %s -tile-assign-layouts=num-warps=6 --remarks-filter=gemm --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=SIX

// The author's Config may ask for more warps than the rows need: the columns are split.
// CHECK: #tile.frag<{{.*}}, warp = {{\[}}[16, 0], [32, 0]], repeat = {{\[}}[1, 4]], warps = {{\[}}[1, 2]]>
// CHECK: #tile.frag<{{.*}}, warps = {{\[}}[0, 16]]>
// CHECK-LABEL: tile.kernel @product
// CHECK-SAME: tile.num_warps = 8
// ERROR: expected 1 to 32 warps, found 33
// SIX: runs on mma.sync: 6 warps are no whole warpgroups
// SIX: tile.kernel @product
// SIX-SAME: tile.num_warps = 6
tile.kernel @product() {
  %a = tile.alloc_shared : !tile.shared<64x16xf16>
  %b = tile.alloc_shared : !tile.shared<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.gemm %a, %b, %zero : !tile.shared<64x16xf16>, !tile.shared<16x64xf16>, tensor<64x64xf32>
  tile.return
}

// What the author wrote counts more than the option.
// CHECK-LABEL: tile.kernel @authors
// CHECK-SAME: tile.num_warps = 16
tile.kernel @authors(%g: !tile.global<4096xf32>) attributes {tile.num_warps = 16 : i64} {
  %c0 = arith.constant 0 : i64
  %w = tile.window %g[%c0] dims = [0] : !tile.global<4096xf32> to !tile.window<4096xf32>
  %x = tile.load %w : !tile.window<4096xf32> to tensor<4096xf32>
  tile.return
}

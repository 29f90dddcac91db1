// RUN: tile-opt --tile-to-host %s | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -O2 -mcpu=x86-64-v3 -relocation-model=pic -filetype=obj -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s

// One kernel defines one symbol and needs libc and libm only: the one conversion of a float type that
// LLVM may call is here, too.
// CHECK: W __truncsfbf2
// CHECK-NOT: __
// CHECK: U aligned_alloc
// CHECK-NOT: __
// CHECK: U exp2f
// CHECK-NOT: __
// CHECK: T softmax
// CHECK-NOT: {{ [TDBR] }}
tile.kernel @softmax(%x: !tile.global<?x?xbf16>, %h: !tile.global<?x?xf16>, %y: !tile.global<?x?xbf16>) {
  %c0 = arith.constant 0 : i64
  %row = tile.program_id
  %w = tile.window %x[%row, %c0] dims = [1] : !tile.global<?x?xbf16> to !tile.window<64xbf16>
  %hw = tile.window %h[%row, %c0] dims = [1] : !tile.global<?x?xf16> to !tile.window<64xf16>
  %b = tile.load %w pad 0xFF80 : bf16 : !tile.window<64xbf16> to tensor<64xbf16>
  %half = tile.load %hw : !tile.window<64xf16> to tensor<64xf16>
  %bias = arith.extf %half : tensor<64xf16> to tensor<64xf32>
  %f = arith.extf %b : tensor<64xbf16> to tensor<64xf32>
  %s = arith.addf %f, %bias : tensor<64xf32>
  %m = tile.reduce max %s axis = 0 : tensor<64xf32> to f32
  %m1 = tile.broadcast %m dims = [] : f32 to tensor<64xf32>
  %d = arith.subf %s, %m1 : tensor<64xf32>
  %e = math.exp2 %d : tensor<64xf32>
  %sum = tile.reduce sum %e axis = 0 : tensor<64xf32> to f32
  %sum1 = tile.broadcast %sum dims = [] : f32 to tensor<64xf32>
  %r = arith.divf %e, %sum1 : tensor<64xf32>
  %o = arith.truncf %r : tensor<64xf32> to tensor<64xbf16>
  %ow = tile.window %y[%row, %c0] dims = [1] : !tile.global<?x?xbf16> to !tile.window<64xbf16>
  tile.store %o, %ow : tensor<64xbf16> to !tile.window<64xbf16>
  tile.return
}

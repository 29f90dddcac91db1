// RUN: tile-opt --convert-tile-to-linalg %s | FileCheck %s

// Limited to the largest finite value, or to what would follow it.
// CHECK-LABEL: func.func private @casts(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf16>) outs(%{{.*}} : tensor<64xf8E4M3FN>)
// CHECK:   %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:   %[[SIZE:.*]] = math.absf %[[WIDE]]
// CHECK:   %[[LARGEST:.*]] = arith.constant 4.480000e+02 : f32
// CHECK:   arith.minnumf %[[SIZE]], %[[LARGEST]]
// CHECK:   linalg.yield %{{.*}} : f8E4M3FN
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf8E4M3FN>) outs(%{{.*}} : tensor<64xf8E5M2>)
// CHECK:   arith.constant 6.553600e+04 : f32
// CHECK:   linalg.yield %{{.*}} : f8E5M2
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf8E5M2>) outs(%{{.*}} : tensor<64xbf16>)
// CHECK:   arith.truncf %{{.*}} : f32 to bf16
tile.kernel @casts(%x: !tile.global<64xf16>, %y: !tile.global<64xbf16>) {
  %zero = arith.constant 0 : i64
  %xw = tile.window %x[%zero] dims = [0] : !tile.global<64xf16> to !tile.window<64xf16>
  %yw = tile.window %y[%zero] dims = [0] : !tile.global<64xbf16> to !tile.window<64xbf16>
  %f = tile.load %xw : !tile.window<64xf16> to tensor<64xf16>
  %q = tile.cast %f {saturate} : tensor<64xf16> to tensor<64xf8E4M3FN>
  %r = tile.cast %q : tensor<64xf8E4M3FN> to tensor<64xf8E5M2>
  %b = tile.cast %r : tensor<64xf8E5M2> to tensor<64xbf16>
  tile.store %b, %yw : tensor<64xbf16> to !tile.window<64xbf16>
  tile.return
}

// CHECK-LABEL: func.func private @scalar(
// CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : i8 to f8E5M2
// CHECK: memref.store %[[B]]
tile.kernel @scalar(%x: f32, %y: !tile.global<64xf8E5M2>) {
  %zero = arith.constant 0 : i64
  %q = tile.cast %x {saturate} : f32 to f8E5M2
  tile.store_scalar %q, %y[%zero] : f8E5M2 to !tile.global<64xf8E5M2>
  tile.return
}

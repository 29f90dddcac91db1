// RUN: %dsl %s --dtype=f32 | FileCheck %s
// 8-bit floats: saturating unless told otherwise, integers through f32.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void casts(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {64});
  auto Y = k.output<i32>("y", {64});
  Axis m("m", 64);
  auto x = load(X(m));
  // CHECK: %[[Q:.*]] = tile.cast %{{.*}} {saturate} : tensor<64xf32> to tensor<64xf8E4M3FN>
  auto q = cast<e4m3>(x);
  // CHECK: %[[R:.*]] = tile.cast %[[Q]] : tensor<64xf8E4M3FN> to tensor<64xf8E5M2>
  auto r = cast<e5m2>(q, overflow::nonfinite);
  // CHECK: %[[H:.*]] = tile.cast %[[R]] : tensor<64xf8E5M2> to tensor<64xf16>
  // CHECK: %[[B:.*]] = tile.cast %[[H]] {saturate} : tensor<64xf16> to tensor<64xf8E5M2>
  auto b = cast<e5m2>(cast<f16>(r), overflow::saturate);
  // CHECK: %[[W:.*]] = tile.cast %[[B]] : tensor<64xf8E5M2> to tensor<64xf32>
  // CHECK: %[[I:.*]] = arith.fptosi %[[W]] : tensor<64xf32> to tensor<64xi32>
  // CHECK: tile.store %[[I]]
  store(cast<i32>(b), Y(m));
}
TILE_KERNEL(casts, Config, f32);

// RUN: %dsl %s | FileCheck %s
// Prefixes along either axis, and positions of maxima.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @scans__f32
template <class T> void scans(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {16, 64});
  auto Y = k.output<T>("y", {16, 64});
  auto Z = k.output<i32>("z", {16});
  Axis r("r", 16), c("c", 64);
  auto x = load(X(r, c));
  // CHECK: %[[S:.*]] = tile.scan sum %{{.*}} axis = 1 {exclusive} : tensor<16x64xf32>
  // CHECK: %[[M:.*]] = tile.scan max %[[S]] axis = 0 {reverse} : tensor<16x64xf32>
  store(scan_max(scan_sum(x, c, {.exclusive = true}), r, {.reverse = true}), Y(r, c));
  // CHECK: tile.reduce argmax %{{.*}} axis = 1 : tensor<16x64xf32> to tensor<16xi32>
  store(argmax(x, c), Z(r));
}
TILE_KERNEL(scans, Config, f32);

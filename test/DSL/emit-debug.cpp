// RUN: %dsl %s | FileCheck %s
// Printing and checking. Small floats are printed as f32.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @debug__bf16
template <class T> void debug(Kernel &k, const Config &) {
  Dim len("len");
  auto X = k.input<T>("x", {len});
  Axis n("n", 64);
  auto [i] = k.grid(ceil_div(len, 64));
  auto x = load(X(n.at(i)));
  // CHECK: %[[W:.*]] = arith.extf %{{.*}} : tensor<64xbf16> to tensor<64xf32>
  // CHECK: tile.print %[[W]] "x" : tensor<64xf32>
  k.print(x, "x");
  // CHECK: tile.print %{{.*}} "block" : i64
  k.print(i, "block");
  // CHECK: tile.check %{{.*}} "no block is negative" : i1
  k.check(i >= 0, "no block is negative");
  // CHECK: tile.check %{{.*}} "positive" : tensor<64xi1>
  k.check(cast<f32>(x) > 0.0, "positive");
}
TILE_KERNEL(debug, Config, bf16);

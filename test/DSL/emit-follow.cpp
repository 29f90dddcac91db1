// RUN: %dsl %s | FileCheck %s
// `follow` is a selection that allows others: any number not below the reference and at most the lag below the maximum.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @running__f32
template <class T> void running(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {8, 16});
  auto O = k.output<T>("o", {8});
  Axis m("m", 8), n("n", 16);
  auto reference = k.fragment<f32>({m}, -inf);
  // CHECK: %[[MAX:.*]] = tile.reduce max
  // CHECK: %[[ABOVE:.*]] = arith.subf %[[MAX]], %[[OLD:.*]] : tensor<8xf32>
  // CHECK: %[[LAG:.*]] = arith.constant dense<8.000000e+00> : tensor<8xf32>
  // CHECK: %[[GROWN:.*]] = arith.cmpf ogt, %[[ABOVE]], %[[LAG]] : tensor<8xf32>
  // CHECK: arith.select %[[GROWN]], %[[MAX]], %[[OLD]] {tile.follows = 8.000000e+00 : f32} : tensor<8xi1>, tensor<8xf32>
  store(follow(reference, reduce_max(load(X(m, n)), n), 8), O(m));
}
TILE_KERNEL(running, Config, f32);

// RUN: %dsl %s | FileCheck %s
// Operands of other axes and numbers become whole tiles; axes lie in the order of declaration.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK: tile.kernel @elementwise__f32(%[[X:.*]]: !tile.global<8x16xf32>, %[[Y:.*]]: !tile.global<16xf32>, %[[O:.*]]: !tile.global<8x16xf32>)
template <class T> void elementwise(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {8, 16});
  auto Y = k.input<T>("y", {16});
  auto O = k.output<T>("o", {8, 16});
  Axis m("m", 8), n("n", 16);
  auto x = load(X(m, n));
  auto y = load(Y(n));
  // CHECK: %[[LY:.*]] = tile.load {{.*}} to tensor<16xf32>
  // CHECK: %[[LX:.*]] = tile.load {{.*}} to tensor<8x16xf32>
  // The row is the left operand, and the result is [m, n] all the same.
  // CHECK: %[[B:.*]] = tile.broadcast %[[LY]] dims = [1] : tensor<16xf32> to tensor<8x16xf32>
  // CHECK: %[[S:.*]] = arith.subf %[[B]], %[[LX]] : tensor<8x16xf32>
  auto s = y - x;
  // CHECK: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
  // CHECK: %[[D:.*]] = arith.divf %[[S]], %[[TWO]]
  // CHECK: %[[N:.*]] = arith.negf %[[D]]
  // CHECK: %[[E:.*]] = math.exp2 %[[N]]
  auto e = exp2(-(s / 2));
  // CHECK: %[[ROWMAX:.*]] = tile.reduce max %[[E]] axis = 1 : tensor<8x16xf32> to tensor<8xf32>
  // CHECK: %[[INF:.*]] = arith.constant dense<0xFF800000> : tensor<8xf32>
  // CHECK: %[[EQ:.*]] = arith.cmpf oeq, %[[ROWMAX]], %[[INF]]
  // CHECK: %[[COND:.*]] = tile.broadcast %[[EQ]] dims = [0] : tensor<8xi1> to tensor<8x16xi1>
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8x16xf32>
  // CHECK: %[[LG:.*]] = math.log2 %[[E]]
  // CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8x16xf32>
  // CHECK: %[[MX:.*]] = arith.maxnumf %[[LG]], %[[ONE]]
  // CHECK: arith.select %[[COND]], %[[ZERO]], %[[MX]] : tensor<8x16xi1>, tensor<8x16xf32>
  auto r = where(reduce_max(e, n) == -inf, 0.0, max(log2(e), 1.0));
  // CHECK: arith.addf
  r += 1.0;
  store(r, O(m, n));
}
TILE_KERNEL(elementwise, Config, f32);

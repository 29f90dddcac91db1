// RUN: %dsl %s | FileCheck %s
// Shifts and quotients are defined for all operands; what a constant decides costs nothing.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @bits__i32
template <class T> void bits(Kernel &k, const Config &) {
  Dim len("len");
  auto X = k.input<T>("x", {len});
  auto O = k.output<T>("o", {len});
  auto F = k.output<f32>("f", {len});
  Axis n("n", 64);
  auto [i] = k.grid(ceil_div(len, 64));
  auto place = n.at(i);
  auto x = load(X(place));
  // CHECK: %[[X:.*]] = tile.load
  // CHECK-NOT: arith.select
  // CHECK: %[[C3:.*]] = arith.constant dense<3> : tensor<64xi32>
  // CHECK: %[[SHL:.*]] = arith.shli %[[X]], %[[C3]]
  // CHECK: %[[C5:.*]] = arith.constant dense<5> : tensor<64xi32>
  // CHECK: %[[SHR:.*]] = arith.shrui %[[SHL]], %[[C5]]
  // CHECK: %[[C7:.*]] = arith.constant dense<7> : tensor<64xi32>
  // CHECK: arith.divsi %[[SHR]], %[[C7]]
  // CHECK-NOT: arith.select
  // CHECK: tile.store
  store(shift_right_logical(x << 3, 5) / 7, O(place));
  // A count of the width or more: nothing is left but the sign.
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<64xi32>
  // CHECK: tile.store %[[ZERO]]
  store(x << 32, O(place));
  // CHECK: %[[LAST:.*]] = arith.minui %{{.*}}, %{{.*}} : tensor<64xi32>
  // CHECK: %[[SIGN:.*]] = arith.shrsi %[[X]], %[[LAST]]
  // CHECK: tile.store %[[SIGN]]
  store(x >> 40, O(place));
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[X]]
  // CHECK: %[[COUNT:.*]] = arith.minui %[[X]]
  // CHECK: %[[MOVED:.*]] = arith.shli %[[X]], %[[COUNT]]
  // CHECK: %[[LEFT:.*]] = arith.select %[[INSIDE]], %[[MOVED]]
  // CHECK: tile.store %[[LEFT]]
  store(x << x, O(place));
  // CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[X]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[NONE]], %{{.*}}, %[[X]]
  // CHECK: %[[QUOTIENT:.*]] = arith.divui %[[X]], %[[SAFE]]
  // CHECK: arith.select %[[NONE]], %{{.*}}, %[[QUOTIENT]]
  store(unsigned_div(x, x), O(place));
  // CHECK: math.ctpop %[[X]]
  // CHECK: math.ctlz
  // CHECK: math.cttz
  // CHECK: tile.store
  store(popcount(x) + leading_zeros(x) + trailing_zeros(x), O(place));
  // CHECK: %[[WORD:.*]] = arith.extui %[[X]] : tensor<64xi32> to tensor<64xi64>
  // CHECK: arith.uitofp %[[WORD]] : tensor<64xi64> to tensor<64xf32>
  // CHECK: arith.bitcast %{{.*}} : tensor<64xf32> to tensor<64xi32>
  // CHECK: arith.bitcast %{{.*}} : tensor<64xi32> to tensor<64xf32>
  store(bitcast<f32>(bitcast<i32>(unsigned_cast<f32>(unsigned_cast<i64>(x)))), F(place));
  // On an Index.
  // CHECK: arith.andi
  // CHECK: arith.cmpi ule
  // CHECK: tile.store_scalar
  store(cast<i32>(unsigned_less_equal(i & 7, i >> 1)), O.at({i}));
}
TILE_KERNEL(bits, Config, i32);

// RUN: %dsl %s | FileCheck %s
// Variables in containers and structures are carried like any other; those that die in a body are not.
#include "tile/dsl/Dsl.h"

#include <optional>
#include <vector>

using namespace tile;

struct Config {
  int parts = 3;
};
TILE_CONFIG(Config, parts);

struct Statistics {
  Fragment<f32> low, high;
};

// CHECK-LABEL: tile.kernel @variables__f32
template <class T> void variables(Kernel &k, const Config &cfg) {
  Dim len("len");
  auto X = k.input<T>("x", {len, 32});
  auto O = k.output<T>("o", {cfg.parts + 2, 32});
  Axis n("n", 32);
  std::vector<Fragment<f32>> sums;
  for (int i = 0; i < cfg.parts; ++i)
    sums.push_back(k.fragment<f32>({n}, 0.0));
  Statistics range{sums[0], sums[0]};
  std::optional<Fragment<f32>> gone = k.fragment<f32>({n}, 9.0);
  auto window = n.at(k.index(0));
  // CHECK: %[[R:.*]]:5 = scf.for {{.*}} iter_args(
  // CHECK-SAME: -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>)
  k.loop(len, [&](Index row) {
    auto x = load(X(row, window));
    std::vector<Fragment<f32>> powers = {x};
    for (int i = 1; i < cfg.parts; ++i)
      powers.push_back(powers.back() * x);
    for (int i = 0; i < cfg.parts; ++i)
      sums[i] += powers[i];
    range.low = min(range.low, x);
    range.high = max(range.high, x);
    gone.reset();
  });
  // CHECK-COUNT-5: tile.store %[[R]]#{{[0-4]}}, {{.*}} : tensor<32xf32> to !tile.window<32xf32>
  for (int i = 0; i < cfg.parts; ++i)
    store(sums[i], O(i, n));
  store(range.low, O(cfg.parts, n));
  store(range.high, O(cfg.parts + 1, n));
}
TILE_KERNEL(variables, Config, f32);

// A window that a loop moves, and a branch on either side of which another variable changes.
// CHECK-LABEL: tile.kernel @moving__f32
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}}, %[[START:.*]] = %{{.*}}) -> (i64, i64)
// CHECK: %[[IF:.*]]:2 = scf.if
// CHECK-SAME: -> (tensor<32xf32>, tensor<32xf32>)
// CHECK: scf.yield %[[A:.*]], %[[ZERO:.*]] :
// CHECK: scf.yield %[[ONE:.*]], %[[B:.*]] :
template <class T> void moving(Kernel &k, const Config &) {
  Dim len("len");
  auto X = k.inout<T>("x", {len});
  Axis n("n", 32);
  Index at = k.index(0);
  auto window = n.from(at).limit(len);
  k.loop(4, [&](Index) {
    auto a = load(X(window)), b = a + 1.0;
    k.when(reduce_sum(a, n) > 0.0, [&] { a = a * 2.0; }, [&] { b = b * 3.0; });
    store(a + b, X(window));
    at += 7;
    window = n.from(at).limit(len);
  });
}
TILE_KERNEL(moving, Config, f32);

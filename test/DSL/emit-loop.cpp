// RUN: %dsl %s | FileCheck %s
// A variable assigned in a loop or a branch is carried; one that is only read is not.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {
  int stages = 3;
};
TILE_CONFIG(Config, stages);

// CHECK-LABEL: tile.kernel @loop__f32__stages3
template <class T> void loop(Kernel &k, const Config &cfg) {
  Dim len("len");
  auto X = k.input<T>("x", {len, 64});
  auto O = k.output<T>("o", {64});
  auto Count = k.output<i32>("count", {1});
  Axis n("n", 64);
  // CHECK-DAG: %[[SUM0:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
  // CHECK-DAG: %[[COUNT0:.*]] = arith.constant 0 : i64
  auto sum = k.fragment<f32>({n}, 0.0);
  auto constant = k.fragment<f32>({n}, 5.0);
  Index count = k.index(0);
  // CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUM:.*]] = %[[SUM0]], %[[COUNT:.*]] = %{{.*}}) -> (tensor<64xf32>, i64)
  k.pipelined(len, {.stages = cfg.stages}, [&](Index i) {
    auto x = load(X(i, n));
    // CHECK: %[[X:.*]] = tile.load
    // The inner loop carries the sum only; `x` and `constant` are read.
    // CHECK: %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[SUM]]) -> (tensor<64xf32>)
    // CHECK-NEXT: %[[PROD:.*]] = arith.mulf %[[X]],
    // CHECK-NEXT: %[[ADD:.*]] = arith.addf %[[S]], %[[PROD]]
    // CHECK-NEXT: scf.yield %[[ADD]]
    k.loop(2, [&](Index) { sum += x * constant; });
    // CHECK: %[[IF:.*]]:2 = scf.if %{{.*}} -> (tensor<64xf32>, i64) {
    // CHECK: %[[NEXT:.*]] = arith.addi %[[COUNT]],
    // CHECK: scf.yield %[[INNER]], %[[NEXT]]
    // CHECK: } else {
    // CHECK: %[[HALF:.*]] = arith.mulf %[[INNER]]
    // CHECK: scf.yield %[[HALF]], %[[COUNT]]
    k.when(i < 5, [&] { count += 1; }, [&] { sum = sum * 0.5; });
    // CHECK: scf.yield %[[IF]]#0, %[[IF]]#1 : tensor<64xf32>, i64
  });
  // CHECK: } {tile.pipeline = #tile.pipeline<stages = 3>}
  // CHECK: tile.store %[[LOOP]]#0
  store(sum, O(n));
  // A branch without an else and without results.
  // CHECK: scf.if
  // CHECK-NOT: else
  // CHECK: tile.store_scalar
  k.when(count > 0, [&] { store(3, Count.at({0})); });
  // CHECK: tile.return
}
TILE_KERNEL(loop, Config, f32);

// Two variables that change places: the values at the end of an iteration, not the names.
// CHECK-LABEL: tile.kernel @swap__f32
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK-NEXT: scf.yield %[[B]], %[[A]]
template <class T> void swap(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {2, 8});
  Axis n("n", 8);
  auto a = k.fragment<f32>({n}, 1.0), b = k.fragment<f32>({n}, 2.0);
  k.loop(3, [&](Index) {
    auto old = a;
    a = b;
    b = old;
  });
  store(a, O(0, n));
  store(b, O(1, n));
}
TILE_KERNEL(swap, Config, f32);

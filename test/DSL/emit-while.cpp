// RUN: %dsl %s | FileCheck %s
// A loop with a condition carries what its body changes, and nothing else.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @search__i32
template <class T> void search(Kernel &k, const Config &) {
  Dim len("len");
  auto X = k.input<T>("x", {len});
  auto O = k.output<i64>("o", {len});
  auto [i] = k.grid(len);
  Index wanted = X(i), low = k.index(0), high = k.index(len), unchanged = k.index(3);
  auto tile = k.fragment<f32>({Axis("n", 8)}, 1.0);
  // CHECK: %[[R:.*]]:3 = scf.while (%[[LOW:.*]] = %{{.*}}, %[[HIGH:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) : (i64, i64, tensor<8xf32>) -> (i64, i64, tensor<8xf32>)
  // CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[LOW]], %[[HIGH]] : i64
  // CHECK-NEXT: scf.condition(%[[MORE]]) %[[LOW]], %[[HIGH]], %[[T]]
  // CHECK-NEXT: } do {
  // CHECK: ^bb0(%[[L:.*]]: i64, %[[H:.*]]: i64, %[[U:.*]]: tensor<8xf32>):
  // CHECK: %[[SUM:.*]] = arith.addi %[[L]], %[[H]]
  // CHECK: scf.if
  // CHECK: arith.addf %[[U]], %[[U]]
  // CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : i64, i64, tensor<8xf32>
  k.loop_while([&] { return low < high; },
               [&] {
                 Index middle = (low + high) / 2 + unchanged * 0;
                 k.when(X(middle) < wanted, [&] { low = middle + 1; }, [&] { high = middle; });
                 tile += tile;
               });
  // CHECK: %[[N:.*]] = tile.reduce sum %[[R]]#2
  // CHECK: tile.store_scalar %{{.*}}, %{{.*}}[%[[R]]#0]
  store(high, O.at({low}));
  store(cast<i64>(reduce_sum(tile, Axis("n", 8))), O.at({low}));
}
TILE_KERNEL(search, Config, i32);

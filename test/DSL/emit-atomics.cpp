// RUN: %dsl %s | FileCheck %s
// Atomic operations on every kind of memory, fences, and single elements of shared tiles.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @atomics__i32
template <class T> void atomics(Kernel &k, const Config &) {
  Dim len("len");
  auto X = k.inout<T>("x", {len});
  auto F = k.inout<f32>("f", {len});
  Axis n("n", 64), b("b", 32);
  auto [i] = k.grid(ceil_div(len, 64));
  auto bins = k.alloc_shared<T>({b});
  auto x = load(X(n.at(i)));
  // A rectangle, and a number for all of it.
  // CHECK: %[[ONE:.*]] = arith.constant dense<1> : tensor<64xi32>
  // CHECK: tile.atomic add %[[ONE]], %{{.*}} : tensor<64xi32> to !tile.window<64xi32>
  atomic_add(X(n.at(i)), 1);
  // CHECK: tile.atomic max %{{.*}}, %{{.*}} order = release scope = system : tensor<64xf32> to !tile.window<64xf32>
  atomic_max(F(n.at(i)), 2.0, {.order = MemoryOrder::release, .scope = MemoryScope::system});
  // At an index, where a mask holds; the old value goes to a variable.
  // CHECK: %[[OLD:.*]] = tile.atomic or %{{.*}}, %{{.*}}[%{{.*}} : tensor<64xi32>] axis = 0 where %{{.*}} : tensor<64xi1> : tensor<64xi32> to !tile.shared<32xi32> -> tensor<64xi32>
  Fragment<T> old;
  atomic_fetch_or(old, bins(x).where(x > 3), x);
  // CHECK: tile.atomic exch %{{.*}}, %{{.*}} : tensor<32xi32> to !tile.shared<32xi32>
  atomic_exchange(bins, 0);
  // One element: of a tensor, of a shared tile.
  // CHECK: %[[TICKET:.*]] = tile.atomic_scalar add %{{.*}}, %{{.*}}[%{{.*}}] order = acq_rel : i32 to !tile.global<?xi32> -> i32
  Fragment<T> ticket;
  atomic_fetch_add(ticket, X.at({i}), 1, {.order = MemoryOrder::acq_rel});
  // CHECK: tile.atomic_scalar cas %[[TICKET]], %{{.*}}[%{{.*}}] compare %{{.*}} : i32 : i32 to !tile.global<?xi32> -> i32
  Fragment<T> before;
  atomic_compare_exchange(before, X.at({0}), 5, ticket);
  // CHECK: tile.fence order = release scope = gpu
  k.fence(MemoryOrder::release);
  // CHECK: tile.store_scalar %{{.*}}, %{{.*}}[%{{.*}}] : i32 to !tile.shared<32xi32>
  store(before, bins.at({7}));
  // CHECK: %[[E:.*]] = tile.load_scalar %{{.*}}[%{{.*}}] : !tile.shared<32xi32> to i32
  // CHECK: arith.extsi %[[E]] : i32 to i64
  // CHECK: tile.atomic_scalar min %{{.*}}, %{{.*}}[%{{.*}}] : i32 to !tile.shared<32xi32>
  atomic_min(bins.at({bins(7)}), 3);
  store(old, X(n.at(i)));
}
TILE_KERNEL(atomics, Config, i32);

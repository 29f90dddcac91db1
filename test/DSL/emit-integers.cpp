// RUN: %dsl %s | FileCheck %s
// Integer tiles, masks, casts, and scalars read from memory.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @integers__i32
template <class T> void integers(Kernel &k, const Config &) {
  Dim len("len");
  auto X = k.input<T>("x", {len});
  auto F = k.input<f32>("f", {len});
  auto O = k.output<T>("o", {len});
  auto Sum = k.output<f32>("sum", {len});
  Axis n("n", 64);
  auto [i] = k.grid(ceil_div(len, 64));
  // A whole number of the device enters an i32 tile brought into its range.
  // CHECK: %[[LEN:.*]] = tile.dim "len"
  // CHECK: %[[ID:.*]] = tile.program_id
  auto x = load(X(n.at(i)));
  // CHECK: %[[LOW:.*]] = arith.constant -2147483648 : i64
  // CHECK: arith.maxsi %[[LEN]], %[[LOW]] : i64
  // CHECK: arith.minsi
  // CHECK: %[[L32:.*]] = arith.trunci %{{.*}} : i64 to i32
  // CHECK: %[[LB:.*]] = tile.broadcast %[[L32]] dims = [] : i32 to tensor<64xi32>
  // CHECK: %[[LT:.*]] = arith.cmpi slt, %{{.*}}, %[[LB]] : tensor<64xi32>
  // CHECK: %[[POS:.*]] = arith.cmpi sge
  // CHECK: %[[TRUE:.*]] = arith.constant dense<true> : tensor<64xi1>
  // CHECK: %[[NOT:.*]] = arith.xori %[[POS]], %[[TRUE]]
  // CHECK: %[[AND:.*]] = arith.andi %[[LT]], %[[NOT]]
  auto mask = (x < len) & !(x >= 3);
  // CHECK: arith.select %[[AND]]
  store(where(mask, x % 7 + (x << 2), -1), O(n.at(i)));
  // One element, the same for the whole CTA: an index from i32, a scalar from f32.
  // CHECK: %[[E:.*]] = tile.load_scalar %{{.*}}[%[[ID]]] : !tile.global<?xi32> to i32
  // CHECK: %[[W:.*]] = arith.extsi %[[E]] : i32 to i64
  // CHECK: %[[NEXT:.*]] = arith.addi %[[W]], %{{.*}} : i64
  // CHECK: %[[F:.*]] = tile.load_scalar %{{.*}}[%[[NEXT]]] : !tile.global<?xf32> to f32
  // CHECK: %[[ANY:.*]] = tile.reduce any %{{.*}} axis = 0 : tensor<64xi1> to i1
  Index start = X(i);
  auto scalar = F(start + 1);
  // CHECK: %[[EXT:.*]] = arith.extui %[[ANY]] : i1 to i32
  // CHECK: %[[C:.*]] = arith.sitofp %[[EXT]] : i32 to f32
  // CHECK: %[[V:.*]] = arith.addf %[[F]], %[[C]] : f32
  // CHECK: tile.store_scalar %[[V]], %{{.*}}[%[[W]]] : f32 to !tile.global<?xf32>
  auto any = cast<f32>(cast<i32>(reduce_any(mask, n)));
  store(scalar + any, Sum.at({start}));
  // CHECK: %[[COUNT:.*]] = arith.sitofp %[[LEN]] : i64 to f32
  // CHECK: tile.store_scalar %[[COUNT]], %{{.*}}[%[[W]]] : f32 to !tile.global<?xf32>
  store(cast<f32>(k.index(len)), Sum.at({start}));
}
TILE_KERNEL(integers, Config, i32);

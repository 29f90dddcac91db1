// RUN: %dsl %s | FileCheck %s
// Windows: blocks and positions, limits, axes in any order, positions and masks.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @window__bf16
// CHECK-SAME: (%[[X:.*]]: !tile.global<?x?x96xbf16>, %[[O:.*]]: !tile.global<?x?x96xbf16>, %[[P:.*]]: !tile.global<?xi32>)
template <class T> void window(Kernel &k, const Config &) {
  Dim batch("batch"), len("len");
  auto X = k.input<T>("x", {batch, len, 96});
  auto O = k.output<T>("o", {batch, len, 96});
  auto P = k.output<i32>("p", {len});
  Axis m("m", 32), d("d", 96);
  auto [i, b] = k.grid(ceil_div(len, 32), batch);
  // CHECK: %[[LEN:.*]] = tile.dim "len"
  auto t = k.alloc_shared<T>({d, m});
  // The tile in shared memory is [d, m], so the window's axes run over dimensions 2 and 1.
  // CHECK: %[[T:.*]] = tile.alloc_shared : <96x32xbf16>
  // CHECK: %[[W:.*]] = tile.window %[[X]][%[[B:.*]], %[[OFF:.*]], %{{.*}}] dims = [2, 1] : <?x?x96xbf16> to <96x32xbf16>
  // CHECK: tile.copy %[[W]], %[[T]] pad 1.000000e+00 : bf16 : !tile.window<96x32xbf16> to !tile.shared<96x32xbf16>
  copy(X(b, m.at(i), d), t, 1.0);
  // A limit on one axis: the others get their extent.
  // CHECK: %[[LIM:.*]] = arith.constant 7 : i64
  // CHECK: %[[E:.*]] = arith.constant 96 : i64
  // CHECK: tile.window %[[O]][%[[B]], %{{.*}}, %{{.*}}] dims = [1, 2] upto[%[[LIM]], %[[E]]]
  auto rows = m.from(i * 32 - 5).limit(7);
  // CHECK: tile.store
  store(load(X(b, m.at(i), d)), O(b, rows, d));

  // Not before 0: iota >= clamp(-start); below the limit: iota < clamp(limit - start).
  // CHECK: %[[NEG:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
  // CHECK: %[[NC:.*]] = arith.maxsi %[[NEG]]
  // CHECK: %[[NC2:.*]] = arith.minsi %[[NC]]
  // CHECK: %[[N32:.*]] = arith.trunci %[[NC2]]
  // CHECK: %[[NB:.*]] = tile.broadcast %[[N32]]
  // CHECK: %[[GE:.*]] = arith.cmpi sge, %{{.*}}, %[[NB]] : tensor<32xi32>
  // CHECK: arith.subi %{{.*}}, %{{.*}} : i64
  // CHECK: %[[LT:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<32xi32>
  // CHECK: %[[ALL:.*]] = arith.andi %[[GE]], %[[LT]]
  // Positions: the start is brought into i32, so that adding up to 31 cannot wrap.
  // CHECK: %[[LOW:.*]] = arith.constant -2147483648 : i64
  // CHECK: %[[MAX:.*]] = arith.maxsi %[[START:.*]], %[[LOW]]
  // CHECK: %[[HIGH:.*]] = arith.constant 2147483616 : i64
  // CHECK: %[[MIN:.*]] = arith.minsi %[[MAX]], %[[HIGH]]
  // CHECK: %[[I32:.*]] = arith.trunci %[[MIN]]
  // CHECK: %[[FIRST:.*]] = tile.broadcast %[[I32]] dims = []
  // CHECK: %[[IOTA:.*]] = tile.iota : tensor<32xi32>
  // CHECK: arith.addi %[[FIRST]], %[[IOTA]]
  // CHECK: arith.select
  store(where(rows.valid(), rows.position(), -1), P(rows));
  // A block that starts below 0 has no element: nothing is left of it.
  // CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[BLOCK:.*]], %{{.*}} : i64
  // CHECK: %[[LEFT:.*]] = arith.select %[[BELOW]], %{{.*}}, %{{.*}} : i64
  // CHECK: %[[L0:.*]] = arith.maxsi %[[LEFT]]
  // CHECK: %[[L1:.*]] = arith.minsi %[[L0]]
  // CHECK: %[[L32:.*]] = arith.trunci %[[L1]]
  // CHECK: %[[LB:.*]] = tile.broadcast %[[L32]]
  // CHECK: arith.cmpi slt, %{{.*}}, %[[LB]] : tensor<32xi32>
  // CHECK-NOT: arith.cmpi
  // CHECK: tile.store
  auto block = m.at(i - 3).limit(len);
  store(where(block.valid(), k.iota(m), -1), P(block));
}
TILE_KERNEL(window, Config, bf16);

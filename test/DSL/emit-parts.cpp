// RUN: %dsl %s | FileCheck %s
// A window that consists of two, and a tile of several matrices: a copy for each part.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @parts
template <class T> void parts(Kernel &k, const Config &) {
  Dim rows("rows"), most("most");
  auto X = k.input<T>("x", {rows, 64});
  auto List = k.input<i32>("list", {most});
  auto Y = k.output<T>("y", {rows, 64});
  auto P = k.output<i32>("p", {96});
  Axis two("two", 2), wide("wide", 64), narrow("narrow", 32), n("n", 96), d("d", 64);
  auto [program] = k.grid(1);
  auto places = n.of({wide.at(List(program)), narrow.from(List(program + 1))}).limit(rows);
  auto tile = k.alloc_shared<T>({n, d});
  // CHECK: %[[TILE:.*]] = tile.alloc_shared : <96x64xbf16>
  // CHECK: %[[W:.*]] = tile.window %{{.*}} dims = [0, 1] upto[%{{.*}}, %{{.*}}] : <?x64xbf16> to <64x64xbf16>
  // CHECK: %[[FIRST:.*]] = tile.slice %[[TILE]][%c0{{.*}}, %c0{{.*}}] : <96x64xbf16> to <64x64xbf16>
  // CHECK: tile.copy %[[W]], %[[FIRST]]
  // CHECK: %[[V:.*]] = tile.window %{{.*}} dims = [0, 1] upto[%{{.*}}, %{{.*}}] : <?x64xbf16> to <32x64xbf16>
  // CHECK: %[[SECOND:.*]] = tile.slice %[[TILE]][%c64{{.*}}, %c0{{.*}}] : <96x64xbf16> to <32x64xbf16>
  // CHECK: tile.copy %[[V]], %[[SECOND]]
  copy(X(places, d), tile);
  // CHECK: %[[VALID:.*]] = arith.select %{{.*}} : tensor<96xi1>, tensor<96xi1>
  // CHECK: %[[HERE:.*]] = arith.cmpi slt, %{{.*}}, %cst{{.*}} : tensor<96xi32>
  // CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %{{.*}} : tensor<96xi32>
  // CHECK: %[[BEHIND:.*]] = arith.subi %{{.*}}, %cst{{.*}} : tensor<96xi32>
  // CHECK-NEXT: %[[SECOND:.*]] = arith.addi %{{.*}}, %[[BEHIND]] : tensor<96xi32>
  // CHECK: %[[POSITION:.*]] = arith.select %[[HERE]], %[[FIRST]], %[[SECOND]] : tensor<96xi1>, tensor<96xi32>
  // CHECK: arith.select %[[VALID]], %[[POSITION]], %{{.*}} : tensor<96xi1>, tensor<96xi32>
  store(where(places.valid(), places.position(), -1), P(n));
  // Written part by part as well.
  // CHECK: tile.copy %{{.*}}, %{{.*}} : !tile.shared<64x64xbf16> to !tile.window<64x64xbf16>
  // CHECK: tile.copy %{{.*}}, %{{.*}} : !tile.shared<32x64xbf16> to !tile.window<32x64xbf16>
  copy(tile, Y(places, d));
  // CHECK: %[[PAIR:.*]] = tile.alloc_shared : <2x64x64xbf16>
  // CHECK: %[[HALF:.*]] = tile.slice %[[PAIR]][%c1{{.*}}, %c0{{.*}}, %c0{{.*}}] : <2x64x64xbf16> to <64x64xbf16>
  // CHECK: tile.copy %{{.*}}, %[[HALF]] : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  auto pair = k.alloc_shared<T>({two, wide, d});
  copy(X(wide.at(program), d), take(pair, two, 1));
}
TILE_KERNEL(parts, Config, bf16);

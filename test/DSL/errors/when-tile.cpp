// RUN: not %dsl %s 2>&1 | FileCheck %s
// A branch on a tile of conditions.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.inout<T>("x", {64});
  Axis m("m", 64);
  auto x = load(X(m));
  // CHECK: when-tile.cpp:[[@LINE+1]]:{{[0-9]+}}: error: when takes one condition for the whole tile, but this one has axes [m=64]; use where, or reduce it with reduce_any or reduce_all
  k.when(x > 0.0, [&] { store(-x, X(m)); });
}
TILE_KERNEL(misuse, Config, f32);

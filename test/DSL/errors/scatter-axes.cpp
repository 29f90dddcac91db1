// RUN: not %dsl %s 2>&1 | FileCheck %s
// A tile with other axes than the index gives.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {64, 32});
  auto I = k.input<i32>("i", {64, 32});
  Axis m("m", 64), n("n", 32), d("d", 32);
  auto table = k.alloc_shared<T>({m, d});
  auto rows = load(I(m, 0)), columns = load(I(0, n));
  // CHECK: scatter-axes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: store between axes [n=32, d=32] of a shared tile [m=64, d=32] at an index tile and a tile with axes [m=64, d=32]; allocate it in that order
  store(load(table), table(columns, d));
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// Rows of a shared tile whose axes are in another order.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto I = k.input<i32>("i", {64, 32});
  Axis m("m", 64), d("d", 32), n("n", 32); // n behind d
  auto table = k.alloc_shared<T>({m, d});
  auto columns = load(I(0, n));
  // CHECK: gather-shared-order.cpp:[[@LINE+1]]:{{[0-9]+}}: error: load between axes [n=32, d=32] of a shared tile [m=64, d=32] at an index tile and a tile with axes [d=32, n=32]; allocate it in that order
  load(table(columns, d));
}
TILE_KERNEL(misuse, Config, f32);

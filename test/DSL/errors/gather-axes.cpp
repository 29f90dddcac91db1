// RUN: not %dsl %s 2>&1 | FileCheck %s
// Rows for a tile of other axes.
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
  // CHECK: gather-axes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: copy between a window of 'x' with axes [n=32, d=32] and a tile with axes [m=64, d=32]
  copy(X(columns, d), table);
}
TILE_KERNEL(misuse, Config, f32);

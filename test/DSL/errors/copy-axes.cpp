// RUN: not %dsl %s 2>&1 | FileCheck %s
// A copy between a window and a tile of other axes.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {64, 32});
  Axis m("m", 64), n("n", 64), d("d", 32);
  auto t = k.alloc_shared<T>({n, d});
  // CHECK: copy-axes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: copy between a window of 'x' with axes [m=64, d=32] and a tile with axes [n=64, d=32]
  copy(X(m, d), t);
}
TILE_KERNEL(misuse, Config, f32);

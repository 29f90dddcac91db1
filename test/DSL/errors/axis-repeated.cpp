// RUN: not %dsl %s 2>&1 | FileCheck %s
// The same axis twice in one tile.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  // CHECK: axis-repeated.cpp:[[@LINE+1]]:{{[0-9]+}}: error: axis 'm' occurs twice in [m=64, m=64]
  k.alloc_shared<T>({m, m});
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// An element outside a shared tile.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  k.output<T>("o", {64});
  Axis m("m", 4), n("n", 64);
  auto tile = k.alloc_shared<T>({m, n});
  // CHECK: shared-element.cpp:[[@LINE+1]]:{{[0-9]+}}: error: index 64 of axis 'n' lies outside the shared tile [m=4, n=64]
  store(1, tile.at({0, 64}));
}
TILE_KERNEL(misuse, Config, i32);

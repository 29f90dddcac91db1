// RUN: not %dsl %s 2>&1 | FileCheck %s
// Positions of a window that belongs to no kernel.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  // CHECK: window-start.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a window that starts at a number belongs to no kernel yet; use k.iota(axis), or start it at k.index(number)
  m.from(0).position();
  k.alloc_shared<T>({m});
}
TILE_KERNEL(misuse, Config, f32);

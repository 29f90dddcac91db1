// RUN: not %dsl %s 2>&1 | FileCheck %s
// Two grids.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim n("n");
  k.grid(n);
  // CHECK: grid-twice.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the grid is already set at line 12; a kernel has one
  k.grid(n, 2);
}
TILE_KERNEL(misuse, Config, f32);

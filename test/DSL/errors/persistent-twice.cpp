// RUN: not %dsl %s 2>&1 | FileCheck %s
// A grid that is persistent twice.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  auto grid = k.grid(rows).persistent();
  // CHECK: persistent-twice.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the grid is already persistent
  grid.persistent(2);
}
TILE_KERNEL(misuse, Config, i32);

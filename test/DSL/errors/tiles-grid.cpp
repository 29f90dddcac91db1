// RUN: not %dsl %s 2>&1 | FileCheck %s
// Work items in a kernel that has a grid.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  k.grid(rows);
  // CHECK: tiles-grid.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the grid is already set at line 12; a kernel has one
  k.tiles(rows, rows, [](Index) {});
}
TILE_KERNEL(misuse, Config, i32);

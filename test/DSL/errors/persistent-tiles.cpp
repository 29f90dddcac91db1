// RUN: not %dsl %s 2>&1 | FileCheck %s
// A persistent grid and work items of another kind.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  k.grid(rows).persistent();
  // CHECK: persistent-tiles.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the grid is already set at line 12; a kernel has one
  k.tiles(rows, rows, [](Index) {});
}
TILE_KERNEL(misuse, Config, i32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A grid that is persistent under a condition.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  auto grid = k.grid(rows);
  k.loop(2, [&](Index) {
    // CHECK: persistent-branch.cpp:[[@LINE+1]]:{{[0-9]+}}: error: persistent() concerns the whole kernel, but stands in a loop or a branch; say it where the grid is set: k.grid(...).persistent()
    grid.persistent();
  });
}
TILE_KERNEL(misuse, Config, i32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A cost that depends on two coordinates.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows"), cols("cols");
  // CHECK: grid-cost.cpp:[[@LINE+1]]:{{[0-9]+}}: error: expected a cost that rises or falls along one coordinate of the grid and does not depend on the others, found 'cta_x + cta_y'; order(list) takes any order
  k.grid(rows, cols).cost([](Dim x, Dim y) { return x + y; });
}
TILE_KERNEL(misuse, Config, i32);

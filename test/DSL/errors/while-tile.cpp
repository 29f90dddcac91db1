// RUN: not %dsl %s 2>&1 | FileCheck %s
// A loop's condition that is a tile.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  auto x = k.fragment<T>({m}, 5);
  // CHECK: while-tile.cpp:[[@LINE+1]]:{{[0-9]+}}: error: loop_while takes one condition for the whole tile, but this one has axes [m=64]; reduce it with reduce_any or reduce_all
  k.loop_while([&] { return x > 0; }, [&] { x -= 1; });
}
TILE_KERNEL(misuse, Config, i32);

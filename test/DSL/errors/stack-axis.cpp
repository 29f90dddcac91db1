// RUN: not %dsl %s 2>&1 | FileCheck %s
// The new axis is one of the tiles' own.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 32});
  auto x = load(X(m, d));
  // CHECK: stack-axis.cpp:[[@LINE+1]]:{{[0-9]+}}: error: axis 'side' occurs twice in [m=64, pair=16, side=2, side=2]
  stack({split(x, d), split(x, d)}, side);
}
TILE_KERNEL(misuse, Config, f32);

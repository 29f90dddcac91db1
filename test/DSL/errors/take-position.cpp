// RUN: not %dsl %s 2>&1 | FileCheck %s
// A position past the end of the axis.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 32});
  auto x = load(X(m, d));
  // CHECK: take-position.cpp:[[@LINE+1]]:{{[0-9]+}}: error: take of position 2 of axis 'side', which has 2 elements
  take(split(x, d), side, 2);
}
TILE_KERNEL(misuse, Config, f32);

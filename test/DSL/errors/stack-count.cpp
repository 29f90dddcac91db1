// RUN: not %dsl %s 2>&1 | FileCheck %s
// More tiles than the axis has positions.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 32});
  auto x = load(X(m, d));
  // CHECK: stack-count.cpp:[[@LINE+1]]:{{[0-9]+}}: error: stack of 3 tiles along axis 'side', which has 2 elements
  stack({x, x, x}, side);
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A split of an axis that the tile lacks.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 32});
  auto x = load(X(m, d));
  // CHECK: split-axis.cpp:[[@LINE+1]]:{{[0-9]+}}: error: split of axis 'pair*side', but the operand has axes [m=64]
  split(reduce_sum(x, d), d);
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A split of an axis that is no product.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 32});
  auto x = load(X(m, d));
  // CHECK: split-plain.cpp:[[@LINE+1]]:{{[0-9]+}}: error: split of axis 'm', which is not a product; declare it as one: Axis m = outer * inner
  split(x, m);
}
TILE_KERNEL(misuse, Config, f32);

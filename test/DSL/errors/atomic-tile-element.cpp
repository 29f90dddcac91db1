// RUN: not %dsl %s 2>&1 | FileCheck %s
// A tile added to one element.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.inout<T>("o", {64});
  Axis n("n", 64);
  // CHECK: atomic-tile-element.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an atomic operation on one element takes a scalar, but the value has axes [n=64]; reduce it first, or give the target those axes
  atomic_add(O.at({0}), k.iota(n));
}
TILE_KERNEL(misuse, Config, i32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A value with an axis that the target does not have.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.inout<T>("o", {64});
  Axis m("m", 4), n("n", 64);
  // CHECK: atomic-axes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an atomic operation on a target with axes [n=64], but the value has axes [m=4, n=64]; reduce axis 'm' first
  atomic_add(O(n), k.fragment<T>({m, n}, 1));
}
TILE_KERNEL(misuse, Config, i32);

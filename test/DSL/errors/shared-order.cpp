// RUN: not %dsl %s 2>&1 | FileCheck %s
// A load of a shared tile whose axes lie in another order than declared.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64, 32});
  Axis m("m", 64), d("d", 32);
  // CHECK: shared-order.cpp:[[@LINE+1]]:{{[0-9]+}}: error: load of a shared tile [d=32, m=64], whose axes are declared in the order [m=64, d=32]; allocate it in that order
  store(load(k.alloc_shared<T>({d, m})), O(m, d));
}
TILE_KERNEL(misuse, Config, f32);

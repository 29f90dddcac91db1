// RUN: not %dsl %s 2>&1 | FileCheck %s
// A product of an axis with itself.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  // CHECK: product-itself.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a product of axis 'm' with itself; the factors need two names
  Axis square = m * m;
}
TILE_KERNEL(misuse, Config, f32);

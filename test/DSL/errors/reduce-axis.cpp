// RUN: not %dsl %s 2>&1 | FileCheck %s
// A reduction over an axis that the tile does not have.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64});
  Axis m("m", 64), n("n", 64), d("d", 64);
  // CHECK: reduce-axis.cpp:[[@LINE+1]]:{{[0-9]+}}: error: reduce_max over axis 'n', but the operand has axes [m=64, d=64]
  store(reduce_max(k.fragment<T>({m, d}, 0.0), n), O(m));
}
TILE_KERNEL(misuse, Config, f32);

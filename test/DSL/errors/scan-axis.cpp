// RUN: not %dsl %s 2>&1 | FileCheck %s
// A scan along an axis that the tile does not have.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64});
  Axis m("m", 4), n("n", 64);
  // CHECK: scan-axis.cpp:[[@LINE+1]]:{{[0-9]+}}: error: scan_sum over axis 'm', but the operand has axes [n=64]
  store(scan_sum(k.fragment<T>({n}, 1), m), O(n));
}
TILE_KERNEL(misuse, Config, i32);

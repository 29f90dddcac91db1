// RUN: not %dsl %s 2>&1 | FileCheck %s
// A divisor that is the constant 0.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  auto x = k.fragment<T>({m}, 5);
  // CHECK: division-by-zero.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a division by 0; the divisor has to be another number
  x = unsigned_rem(x, 0);
}
TILE_KERNEL(misuse, Config, i32);

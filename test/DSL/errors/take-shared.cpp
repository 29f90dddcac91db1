// RUN: not %dsl %s 2>&1 | FileCheck %s
// Only the first axis of a shared tile can be left out.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis g("g", 2), n("n", 64), d("d", 32);
  auto s = k.alloc_shared<T>({g, n, d});
  // CHECK: take-shared.cpp:[[@LINE+1]]:{{[0-9]+}}: error: take along axis 'n' of a shared tile [g=2, n=64, d=32]; expected the first of several axes
  take(s, n, 0);
}
TILE_KERNEL(misuse, Config, f32);

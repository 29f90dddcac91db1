// RUN: not %dsl %s 2>&1 | FileCheck %s
// A variable that gains an axis in a loop.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), n("n", 32);
  auto sum = k.fragment<T>({m}, 0.0);
  // CHECK: loop-axes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a loop changes the axes of a variable from [m=64] to [m=64, n=32]; give it all its axes before
  k.loop(3, [&](Index) { sum = sum + k.fragment<T>({n}, 1.0); });
}
TILE_KERNEL(misuse, Config, f32);

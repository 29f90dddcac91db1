// RUN: not %dsl %s 2>&1 | FileCheck %s
// A reference that may lie above the maximum by less than nothing.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64});
  Axis n("n", 64);
  // CHECK: follow-lag.cpp:[[@LINE+1]]:{{[0-9]+}}: error: expected a lag of at least 0, found -1
  store(follow(k.fragment<f32>({n}, 0.0), k.fragment<f32>({n}, 1.0), -1), O(n));
}
TILE_KERNEL(misuse, Config, f32);

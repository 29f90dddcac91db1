// RUN: not %dsl %s 2>&1 | FileCheck %s
// An extent that is not positive.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  // CHECK: axis-extent.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the extent of axis 'm' must be at least 1 and at most 16777216; found 0
  Axis m("m", 0);
  k.alloc_shared<T>({m});
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A tensor with an extent of 0.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim n("n");
  // CHECK: parameter-extent.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tensor 'x' has the extents [n, 0]; a number must be at least 1
  k.input<T>("x", {n, 0});
}
TILE_KERNEL(misuse, Config, f32);

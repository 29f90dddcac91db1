// RUN: not %dsl %s 2>&1 | FileCheck %s
// Too many warps.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  // CHECK: warps.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a kernel runs on 1 to 32 warps; found 33
  k.warps(33);
}
TILE_KERNEL(misuse, Config, f32);

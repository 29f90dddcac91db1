// RUN: not %dsl %s 2>&1 | FileCheck %s
// No CTA on an SM.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  // CHECK: persistent-no-ctas.cpp:[[@LINE+1]]:{{[0-9]+}}: error: expected 1 to 32 CTAs per SM, found 0
  k.grid(rows).persistent(0);
}
TILE_KERNEL(misuse, Config, i32);

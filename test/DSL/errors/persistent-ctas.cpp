// RUN: not %dsl %s 2>&1 | FileCheck %s
// More CTAs than an SM has room for.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  // CHECK: persistent-ctas.cpp:[[@LINE+1]]:{{[0-9]+}}: error: expected 1 to 32 CTAs per SM, found 33
  k.grid(rows).persistent(33);
}
TILE_KERNEL(misuse, Config, i32);

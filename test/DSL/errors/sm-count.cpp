// RUN: not %dsl %s 2>&1 | FileCheck %s
// The number of multiprocessors in the kernel's own arithmetic.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  auto [i] = k.grid(min(rows, Dim::sm_count()));
  // CHECK: sm-count.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the number of multiprocessors is known to the launcher only; use it in the grid
  Index share = i / Dim::sm_count();
}
TILE_KERNEL(misuse, Config, i32);

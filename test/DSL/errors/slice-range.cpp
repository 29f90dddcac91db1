// RUN: not %dsl %s 2>&1 | FileCheck %s
// A part that does not lie inside.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis n("n", 64), d("d", 32), page("page", 16);
  auto s = k.alloc_shared<T>({n, d});
  // CHECK: slice-range.cpp:[[@LINE+1]]:{{[0-9]+}}: error: slice of 16 elements from position 56 on of axis 'n', which has 64
  s.slice(n, 56, page);
}
TILE_KERNEL(misuse, Config, f32);

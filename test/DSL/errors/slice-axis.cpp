// RUN: not %dsl %s 2>&1 | FileCheck %s
// A part along an axis that the tile lacks.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis n("n", 64), d("d", 32), page("page", 16), e("e", 64);
  auto s = k.alloc_shared<T>({n, d});
  // CHECK: slice-axis.cpp:[[@LINE+1]]:{{[0-9]+}}: error: slice of axis 'e', but the operand has axes [n=64, d=32]
  s.slice(e, 0, page);
}
TILE_KERNEL(misuse, Config, f32);

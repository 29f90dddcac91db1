// RUN: not %dsl %s 2>&1 | FileCheck %s
// A grouped product whose matrices are not numbered by the first axis of their tile.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis g("g", 2), m("m", 128), n("n", 64), d("d", 32);
  auto a = k.alloc_shared<T>({m, d}), b = k.alloc_shared<T>({d, g, n});
  // CHECK: grouped-gemm-axes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: grouped_gemm multiplies the rows of a tile of two axes with a tile of matrices, whose first axis numbers them and which has one other axis in common with the first tile: {m, d} and {g, n, d} or {g, d, n}; found [m=128, d=32] and [d=32, g=2, n=64]
  grouped_gemm(a, b);
}
TILE_KERNEL(misuse, Config, bf16);

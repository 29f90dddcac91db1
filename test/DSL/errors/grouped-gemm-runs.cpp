// RUN: not %dsl %s 2>&1 | FileCheck %s
// Rows that the matrices do not divide.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis g("g", 3), m("m", 128), n("n", 64), d("d", 32);
  auto a = k.alloc_shared<T>({m, d}), b = k.alloc_shared<T>({g, n, d});
  // CHECK: grouped-gemm-runs.cpp:[[@LINE+1]]:{{[0-9]+}}: error: grouped_gemm divides the rows of 'm' into a run for each matrix of 'g', so 128 has to be a multiple of 3
  grouped_gemm(a, b);
}
TILE_KERNEL(misuse, Config, bf16);

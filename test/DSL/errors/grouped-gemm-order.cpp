// RUN: not %dsl %s 2>&1 | FileCheck %s
// The rows of a grouped product come first; a transposed one has none.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis g("g", 2), n("n", 64), m("m", 128), d("d", 32);
  auto a = k.alloc_shared<T>({m, d}), b = k.alloc_shared<T>({g, n, d});
  // CHECK: grouped-gemm-order.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the rows of a grouped_gemm are those of its first operand [m=128, d=32], so its axis 'm' must be declared before 'n', the columns of the product
  grouped_gemm(a, b);
}
TILE_KERNEL(misuse, Config, bf16);

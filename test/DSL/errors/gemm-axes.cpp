// RUN: not %dsl %s 2>&1 | FileCheck %s
// A product of tiles that share no axis.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<f32>("o", {64, 64});
  Axis m("m", 64), n("n", 64), d("d", 64), e("e", 64);
  auto a = k.alloc_shared<T>({m, d}), b = k.alloc_shared<T>({n, e});
  // CHECK: gemm-axes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: gemm contracts the one axis that its operands share, and each has two axes; [m=64, d=64] and [n=64, e=64] share 0
  store(gemm(a, b), O(m, n));
}
TILE_KERNEL(misuse, Config, bf16);

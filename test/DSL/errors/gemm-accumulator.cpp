// RUN: not %dsl %s 2>&1 | FileCheck %s
// An accumulator with an axis that the product does not have.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), n("n", 64), d("d", 64), e("e", 64);
  auto a = k.alloc_shared<T>({m, d}), b = k.alloc_shared<T>({n, d});
  // CHECK: gemm-accumulator.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the accumulator has axes [m=64, e=64], but the product has [m=64, n=64]
  gemm(a, b, k.fragment<f32>({m, e}, 0.0));
}
TILE_KERNEL(misuse, Config, bf16);

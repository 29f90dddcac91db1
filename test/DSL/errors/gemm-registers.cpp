// RUN: not %dsl %s 2>&1 | FileCheck %s
// A register operand whose axes are declared in the wrong order.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis n("n", 64), m("m", 64), d("d", 64);
  auto s = k.fragment<T>({m, n}, 0.0);
  auto b = k.alloc_shared<T>({n, d});
  // CHECK: gemm-registers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the first operand [n=64, m=64] lies in registers, so the contracted axis 'n' must be declared after 'm'
  gemm(s, b);
}
TILE_KERNEL(misuse, Config, bf16);

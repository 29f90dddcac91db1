// RUN: not %dsl %s 2>&1 | FileCheck %s
// A mistake inside a helper: its line, and the kernel's that called it.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

Fragment<f32> mean(const Fragment<f32> &x, const Axis &axis, Loc loc = Loc::current()) {
  Scope scope(x, loc);
  return reduce_sum(x, axis) / double(axis.extent());
}

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), n("n", 64);
  // CHECK: helper.cpp:12:{{[0-9]+}}: error: reduce_sum over axis 'n', but the operand has axes [m=64]
  // CHECK-NEXT: helper.cpp:[[@LINE+1]]:{{[0-9]+}}: note: called from here
  mean(k.fragment<T>({m}, 0.0), n);
}
TILE_KERNEL(misuse, Config, f32);

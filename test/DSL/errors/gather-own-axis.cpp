// RUN: not %dsl %s 2>&1 | FileCheck %s
// The axis of the index is already spanned.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {64, 32});
  auto I = k.input<i32>("i", {64, 32});
  Axis m("m", 64), n("n", 32), d("d", 32);
  auto table = k.alloc_shared<T>({m, d});
  auto rows = load(I(m, 0)), columns = load(I(0, n));
  // CHECK: gather-own-axis.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the index tile has axes [d=32], of which 0 are spanned by no other coordinate of tensor 'x'; expected 1, along which the picked rows lie
  load(X(load(I(0, d)), d));
}
TILE_KERNEL(misuse, Config, f32);

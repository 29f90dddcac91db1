// RUN: not %dsl %s 2>&1 | FileCheck %s
// Two index tiles.
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
  // CHECK: gather-two.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 2 coordinates of tensor 'x' are index tiles; expected 1. Compute one index into a tensor or tile that has one dimension for both
  load(X(rows, columns));
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// Fewer coordinates than dimensions.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim len("len");
  auto X = k.input<T>("x", {2, len, 64});
  Axis m("m", 64), d("d", 64);
  // CHECK: coordinates.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tensor 'x' has 3 dimensions [2, len, 64], but 2 coordinates are given
  load(X(m, d));
}
TILE_KERNEL(misuse, Config, f32);

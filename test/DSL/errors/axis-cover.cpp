// RUN: not %dsl %s 2>&1 | FileCheck %s
// An axis for a whole dimension that it does not cover.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {8, 128});
  Axis m("m", 16), d("d", 64);
  // CHECK: axis-cover.cpp:[[@LINE+1]]:{{[0-9]+}}: error: axis 'd' of 64 elements does not cover the dimension of 128 of tensor 'x'; use d.at(block) or d.from(position) for a part of it
  load(X(m, d));
}
TILE_KERNEL(misuse, Config, f32);

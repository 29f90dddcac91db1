// RUN: not %dsl %s 2>&1 | FileCheck %s
// A product as the last axis of a shared tile filled from two dimensions.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.input<T>("x", {64, 16, 2});
  auto s = k.alloc_shared<T>({m, d});
  // CHECK: copy-product.cpp:[[@LINE+1]]:{{[0-9]+}}: error: copy between a window of 'x' with axes [m=64, pair=16, side=2] and a shared tile [m=64, pair*side=32], whose last axis 'pair*side' is a product; only other axes can be: load the window and join it
  copy(X(m, pair, side), s);
}
TILE_KERNEL(misuse, Config, f32);

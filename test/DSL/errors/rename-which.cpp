// RUN: not %dsl %s 2>&1 | FileCheck %s
// A tile of two axes, and no word which to rename.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 32});
  auto x = load(X(m, d));
  // CHECK: rename-which.cpp:[[@LINE+1]]:{{[0-9]+}}: error: rename of one of the axes [m=64, pair*side=32]; say which: rename(x, from, 'side')
  rename(x, side);
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// Another extent under another name.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 16), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 32});
  auto x = load(X(m, d));
  // CHECK: rename-extent.cpp:[[@LINE+1]]:{{[0-9]+}}: error: rename of axis 'm' of 64 elements to 'side' of 2; both need one extent
  rename(x, m, side);
}
TILE_KERNEL(misuse, Config, f32);

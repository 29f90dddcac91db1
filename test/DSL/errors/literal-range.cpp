// RUN: not %dsl %s 2>&1 | FileCheck %s
// A number that the element type cannot hold.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.inout<T>("x", {64});
  Axis m("m", 64);
  // CHECK: literal-range.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 300 does not fit the element type of 8 bits
  store(load(X(m)) + 300, X(m));
}
TILE_KERNEL(misuse, Config, i8);

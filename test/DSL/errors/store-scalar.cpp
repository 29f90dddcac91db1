// RUN: not %dsl %s 2>&1 | FileCheck %s
// A scalar stored to a window.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64});
  Axis m("m", 64);
  // CHECK: store-scalar.cpp:[[@LINE+1]]:{{[0-9]+}}: error: store of a scalar to a window of 'o' with axes [m=64]; make it a tile, or store it to one element: o.at({{[{]}}...})
  store(k.fragment<T>({}, 1.0), O(m));
}
TILE_KERNEL(misuse, Config, f32);

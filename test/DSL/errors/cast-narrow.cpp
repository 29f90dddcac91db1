// RUN: not %dsl %s 2>&1 | FileCheck %s
// A cast that is not available.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  // CHECK: cast-narrow.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cast from f32 to e4m3 is not supported; 8-bit floats can be loaded, stored and multiplied only
  cast<e4m3>(k.fragment<T>({m}, 0.0));
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// One name for two extents.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64), other("m", 32);
  auto a = k.fragment<T>({m}, 0.0);
  // CHECK: axis-twice.cpp:[[@LINE+1]]:{{[0-9]+}}: error: axis 'm' has 32 elements here and 64 where it was first used (axis-twice.cpp:11); give one of them another name
  a + k.fragment<T>({other}, 0.0);
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A load from an output.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64});
  Axis m("m", 64);
  // CHECK: read-output.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tensor 'o' is an output and cannot be read; declare it with inout or workspace
  load(O(m));
}
TILE_KERNEL(misuse, Config, f32);

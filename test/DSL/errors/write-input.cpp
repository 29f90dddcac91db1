// RUN: not %dsl %s 2>&1 | FileCheck %s
// A store to an input.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {64});
  Axis m("m", 64);
  // CHECK: write-input.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tensor 'x' is an input and cannot be written; declare it with output, inout or workspace
  store(k.fragment<T>({m}, 0.0), X(m));
}
TILE_KERNEL(misuse, Config, f32);

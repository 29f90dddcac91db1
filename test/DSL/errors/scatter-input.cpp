// RUN: not %dsl %s 2>&1 | FileCheck %s
// A store to an input.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {64, 32});
  auto I = k.input<i32>("i", {64, 32});
  Axis m("m", 64), n("n", 32), d("d", 32);
  auto table = k.alloc_shared<T>({m, d});
  auto rows = load(I(m, 0)), columns = load(I(0, n));
  // CHECK: scatter-input.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tensor 'x' is an input and cannot be written; declare it with output, inout or workspace
  store(load(table), X(rows, d));
}
TILE_KERNEL(misuse, Config, f32);

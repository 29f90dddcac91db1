// RUN: not %dsl %s 2>&1 | FileCheck %s
// An atomic operation on an output: it reads, too.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64});
  Axis n("n", 64);
  // CHECK: atomic-input.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tensor 'o' is an output and cannot be read; declare it with inout or workspace
  atomic_add(O(n), 1);
}
TILE_KERNEL(misuse, Config, i32);

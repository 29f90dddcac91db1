// RUN: not %dsl %s 2>&1 | FileCheck %s
// Two parameters of one name.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  k.input<T>("x", {64});
  // CHECK: parameter-twice.cpp:[[@LINE+1]]:{{[0-9]+}}: error: parameter 'x' is declared twice; the first is at line 11
  k.output<T>("x", {64});
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A value that exists only inside a loop.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  auto O = k.output<T>("o", {64});
  Axis m("m", 64);
  Fragment<T> last;
  k.loop(3, [&](Index) { last = k.fragment<T>({m}, 1.0); });
  // CHECK: loop-escape.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this variable has no value here; a variable that a loop or a branch sets needs a value before it
  store(last, O(m));
}
TILE_KERNEL(misuse, Config, f32);

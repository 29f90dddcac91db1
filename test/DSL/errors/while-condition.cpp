// RUN: not %dsl %s 2>&1 | FileCheck %s
// A loop's condition that changes a variable.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Index x = k.index(9);
  // CHECK: while-condition.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the condition of a loop changes a variable; change it in the body
  k.loop_while([&] { return (x -= 1) > 0; }, [] {});
}
TILE_KERNEL(misuse, Config, i32);

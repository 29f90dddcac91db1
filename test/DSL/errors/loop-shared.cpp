// RUN: not %dsl %s 2>&1 | FileCheck %s
// A shared tile's variable that names another tile in a loop.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  auto a = k.alloc_shared<T>({m}), b = k.alloc_shared<T>({m});
  // CHECK: loop-shared.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a loop makes a shared tile's variable name another tile; allocate the tiles before it and copy between them
  k.loop(3, [&](Index) { a = b; });
}
TILE_KERNEL(misuse, Config, f32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A pipelined loop without stages.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  // CHECK: stages.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a pipelined loop has at least 1 stage; found 0
  k.pipelined(4, {.stages = 0}, [&](Index) {});
}
TILE_KERNEL(misuse, Config, f32);

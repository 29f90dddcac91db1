// RUN: not %dsl %s 2>&1 | FileCheck %s
// Windows that are not as long together as the axis.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis n("n", 96), half("half", 32);
  auto [program] = k.grid(4);
  // CHECK: window-parts.cpp:[[@LINE+1]]:{{[0-9]+}}: error: windows of 64 positions together for axis 'n', which has 96
  n.of({half.at(program), half.at(program + 1)});
}
TILE_KERNEL(misuse, Config, f32);

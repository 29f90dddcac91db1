// RUN: not %dsl %s 2>&1 | FileCheck %s
// A dimension that is not an identifier.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  // CHECK: dim-name.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a dimension's name is a letter or '_', then letters, digits, '_'; found 'q len'
  Dim n("q len");
  k.grid(n);
}
TILE_KERNEL(misuse, Config, f32);

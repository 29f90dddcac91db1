// RUN: not %dsl %s 2>&1 | FileCheck %s
// A fact about an expression.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim n("n");
  // CHECK: dim-fact.cpp:[[@LINE+1]]:{{[0-9]+}}: error: multiple_of is a fact about a named dimension; found the expression 'n + 1'
  k.grid((n + 1).multiple_of(8));
}
TILE_KERNEL(misuse, Config, f32);

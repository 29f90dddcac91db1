// RUN: not %dsl %s 2>&1 | FileCheck %s
// A tile as an Index.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis m("m", 64);
  // CHECK: unsigned-index.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsigned_index takes a scalar, but the operand has axes [m=64]; reduce it first
  Index i = unsigned_index(k.fragment<T>({m}, 5));
}
TILE_KERNEL(misuse, Config, i32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A fence that orders nothing.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  k.output<T>("o", {64});
  // CHECK: fence-relaxed.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a relaxed fence orders nothing; use acquire, release or acq_rel
  k.fence(MemoryOrder::relaxed);
}
TILE_KERNEL(misuse, Config, i32);

// RUN: not %dsl %s 2>&1 | FileCheck %s
// A number of work items that only the launcher knows.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Dim rows("rows");
  // CHECK: persistent-sm-count.cpp:[[@LINE+1]]:{{[0-9]+}}: error: expected extents that the kernel can count its work items by, found 'min(rows, sm_count())'; the number of multiprocessors is known to the launcher only
  k.grid(min(rows, Dim::sm_count())).persistent();
}
TILE_KERNEL(misuse, Config, i32);

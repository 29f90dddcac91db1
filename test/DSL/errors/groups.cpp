// RUN: not %dsl %s --kernel=uneven 2>&1 | FileCheck %s --check-prefix=UNEVEN
// RUN: not %dsl %s --kernel=none 2>&1 | FileCheck %s --check-prefix=NONE
// Groups that cannot be equal.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void uneven(Kernel &k, const Config &) {
  auto [head] = k.grid(8);
  // UNEVEN: groups.cpp:[[@LINE+1]]:{{[0-9]+}}: error: group needs equal groups: expected a multiple of the groups as members; found 8 members and 3 groups
  k.group(head, 8, 3);
}
TILE_KERNEL(uneven, Config, f32);

template <class T> void none(Kernel &k, const Config &) {
  Dim heads("heads");
  auto [head] = k.grid(heads);
  // NONE: groups.cpp:[[@LINE+1]]:{{[0-9]+}}: error: group needs equal groups: expected at least 1 group; found heads members and 0 groups
  k.group(head, heads, 0);
}
TILE_KERNEL(none, Config, f32);

// Nothing is above the largest i32: two strict bounds of such a position, which sm-combine makes one of, stay false.
// RUN: tile-run %s --dtype=i32 --target=host --in r=zeros --in q=zeros --out o=%t.npy
// RUN: tile-run %s --dtype=i32 --target=sm --in r=zeros --in q=zeros --expect o=%t.npy | FileCheck %s
// CHECK: o: i32 [128, 2], 0 to 0
// CHECK: o: as expected
#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {};
TILE_CONFIG(Config);

template <class T> void mask_at_the_end(Kernel &k, const Config &) {
  auto R = k.input<T>("r", {128});
  auto Q = k.input<T>("q", {1});
  auto O = k.output<T>("o", {128, 2});
  Axis m("m", 128), n("n", 2), u("u", 1);
  k.grid(1);
  auto rows = load(R(m));
  auto all = reduce_max(load(Q(u)), u);
  auto positions = k.iota(n) + 2147483646;
  store(where((rows > positions) & (all > positions), k.fragment<T>({m, n}, 1), 0), O(m, n));
}
TILE_KERNEL(mask_at_the_end, Config, i32);
} // namespace

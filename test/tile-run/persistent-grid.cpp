// A persistent grid on the simple path: every item is computed once, in the order asked for, on the host and in
// the GPU's code; and more items than a number has room for are the launch's error, as they are of a plain grid.
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{number} = tile-run %s:number_items --dim nx=7 --dim ny=5 --in place=zeros --in branch=zeros
// RUN: %{number} --config=persistent=0 --target=host --out place=%t/place.npy --out branch=%t/branch.npy
// RUN: %{number} --target=host --expect place=%t/place.npy --expect branch=%t/branch.npy | FileCheck %s
// RUN: %{number} --target=sm --expect place=%t/place.npy --expect branch=%t/branch.npy | FileCheck %s
// CHECK: place: as expected
// CHECK: branch: as expected
// DEFINE: %{count} = tile-run %s:count_items --target=host --in o=zeros
// RUN: not %{count} --dim n=65536 --dim m=32768 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not %{count} --dim n=9000000000 --dim m=9000000000 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %{count} --dim n=0 --dim m=65536
// MORE: error: count_items: grid: in the expression 'min(items(items(1, n), m), sm_count() * 1)': expected at most 2147483647 work items, found more at 32768
// WIDE: error: count_items: grid: in the expression 'min(items(items(1, n), m), sm_count() * 1)': expected at most 2147483647 work items, found more at 9000000000
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {
  bool persistent = true;
};
TILE_CONFIG(Config, persistent);

template <class T> void number_items(Kernel &k, const Config &cfg) {
  Dim nx("nx"), ny("ny");
  auto Place = k.inout<T>("place", {ny, nx});
  auto Branch = k.inout<T>("branch", {ny, nx});
  auto grid = k.grid(nx, ny).cost([](Dim x, Dim) { return x; }, 2);
  if (cfg.persistent)
    grid.persistent();
  auto [x, y] = grid;
  atomic_add(Place.at({y, x}), k.program() + 1);
  k.when(x > 2, [&] { atomic_add(Branch.at({y, x}), k.program() * 3); });
}
TILE_KERNEL(number_items, Config, i32);

template <class T> void count_items(Kernel &k, const Config &) {
  Dim n("n"), m("m");
  auto O = k.inout<T>("o", {1});
  auto [i, j] = k.grid(n, m).persistent();
  k.when(i + j < 0, [&] { store(i, O.at({i})); });
}
TILE_KERNEL(count_items, Config, i32);

//===- checked.cpp - a kernel that may fail in the middle of its work ------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Empty {};
TILE_CONFIG(Empty);

/// o = the sum of the rows of x before the first whose number is `bad`, where the kernel ends: by then it
/// holds tiles that the loop carries, tiles of an iteration and a shared tile.
template <class T> void checked_sum(Kernel &k, const Empty &) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 64});
  auto bad = k.scalar<i32>("bad");
  auto O = k.output<T>("o", {64});
  Axis c("c", 64);
  k.grid(1);
  auto sum = k.fragment<T>({c}, 0), last = sum;
  k.loop(rows, [&](Index i) {
    auto tile = k.alloc_shared<T>({c});
    copy(X(i, c), tile);
    auto x = load(tile);
    k.check(i != to_index(bad), "a bad row");
    k.when(i > 1, [&] { k.check(where(x > 0, x, last) < 1000, "too large"); });
    last = sum;
    sum = x + last;
  });
  store(sum, O(c));
}
TILE_KERNEL(checked_sum, Empty, f32);
} // namespace

//===- Parts.cpp - indices and elements of parts of shared tiles -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Tile {
  int cols = 32;
  int unit = 1; // the part's columns start at a multiple of this
};
TILE_CONFIG(Tile, cols, unit);

/// Rows and elements of the part of 20 rows and 16 columns from (`row`, `column` * unit) on, read
/// and written at index tiles; in the end its rows 5 to 14 are those of `rows` that `which` names.
template <class T> void gather_part(Kernel &k, const Tile &cfg) {
  auto X = k.input<T>("x", {40, cfg.cols});
  auto From = k.input<i32>("from", {24});
  auto Across = k.input<i32>("across", {20, 16});
  auto To = k.input<i64>("to", {24});
  auto Rows = k.input<T>("rows", {50, 16});
  auto Which = k.input<i32>("which", {10});
  auto Y = k.output<T>("y", {24, 16});
  auto E = k.output<T>("e", {20, 16});
  auto Z = k.output<T>("z", {40, cfg.cols});
  Index row = to_index(k.scalar<i32>("row"));
  Index column = to_index(k.scalar<i32>("column")) * cfg.unit;

  Axis n("n", 40), p("p", 20), r("r", 24), g("g", 10), c("c", cfg.cols), d("d", 16);
  k.grid(1);
  auto s = k.alloc_shared<T>({n, c});
  copy(X(n, c), s);
  auto part = s.slice(n, row, p).slice(c, column, d);
  auto picked = load(part(load(From(r)), d), -7);
  store(picked, Y(r, d));
  store(load(part(p, load(Across(p, d))), -7), E(p, d));
  auto to = load(To(r));
  store(picked, part(to, d).where(to != 3));
  copy(Rows(load(Which(g)), d), part.slice(p, 5, g));
  copy(s, Z(n, c));
}
TILE_KERNEL(gather_part, Tile, f32, bf16, i8);

struct Empty {};
TILE_CONFIG(Empty);

/// Atomic operations on a part of a tile of three axes: on all of it, at an index, on elements; one
/// of these is also read and written.
template <class T> void atomic_part(Kernel &k, const Empty &) {
  auto X = k.inout<T>("x", {3, 24, 40});
  auto Add = k.input<T>("add", {3, 10, 16});
  auto Most = k.input<T>("most", {3, 12, 16});
  auto Place = k.input<i32>("place", {12});
  auto Old = k.output<T>("old", {3, 10, 16});
  auto One = k.output<T>("one", {2});
  Index row = to_index(k.scalar<i32>("row")), column = to_index(k.scalar<i32>("column"));

  Axis b("b", 3), n("n", 24), p("p", 10), q("q", 12), c("c", 40), d("d", 16);
  k.grid(1);
  auto s = k.alloc_shared<T>({b, n, c});
  copy(X(b, n, c), s);
  auto part = s.slice(n, row, p).slice(c, column, d);
  Fragment<T> old, one;
  atomic_fetch_add(old, part, load(Add(b, p, d)));
  auto place = load(Place(q));
  atomic_max(part(b, place, d).where(place != 3), load(Most(b, q, d)));
  atomic_fetch_add(one, part.at({2, 9, 15}), 5);
  store(part(1, row - row + 2, 3) + 1000, part.at({1, 4, 3}));
  store(old, Old(b, p, d));
  store(one, One.at({0}));
  store(part(1, 4, 3), One.at({1}));
  copy(s, X(b, n, c));
}
TILE_KERNEL(atomic_part, Empty, i32);

/// A window that consists of three, of 12, 20 and 8 rows, wherever they start: copied in, and out
/// again. And a tile of two matrices, filled in the other order.
template <class T> void part_window(Kernel &k, const Tile &cfg) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, cfg.cols});
  auto Start = k.input<i64>("start", {3});
  auto P = k.output<i32>("p", {40});
  auto V = k.output<i32>("v", {40});
  auto Y = k.output<T>("y", {40, cfg.cols});
  auto Z = k.inout<T>("z", {rows, cfg.cols});
  auto B = k.output<T>("b", {2, 12, cfg.cols});
  Index limit = to_index(k.scalar<i32>("limit"));

  Axis g("g", 2), n("n", 40), a("a", 12), b("b", 20), e("e", 8), c("c", cfg.cols);
  k.grid(1);
  auto places = n.of({a.from(Start(0)), b.from(Start(1)), e.from(Start(2))}).limit(limit);
  auto s = k.alloc_shared<T>({n, c});
  copy(X(places, c), s, -7);
  store(places.position(), P(n));
  store(cast<i32>(places.valid()), V(n));
  auto y = load(s);
  store(y, Y(n, c));
  store(y * -1, s);
  copy(s, Z(places, c));
  auto both = k.alloc_shared<T>({g, a, c});
  copy(X(a.from(Start(0)), c), take(both, g, 1));
  copy(X(a.from(Start(1)), c), take(both, g, k.index(0)));
  copy(both, B(g, a, c));
}
TILE_KERNEL(part_window, Tile, f32);
} // namespace

//===- Atomic.cpp - atomic operations, fences, elements of shared tiles ---===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
/// `kind` in the order of the test: add, max, min, exchange, and, or.
struct Config {
  int kind = 0;
};
TILE_CONFIG(Config, kind);

template <class M, class T>
void fetch(int kind, Fragment<T> &old, const M &target, const Fragment<T> &value) {
  if (kind == 0)
    atomic_fetch_add(old, target, value);
  else if (kind == 1)
    atomic_fetch_max(old, target, value);
  else if (kind == 2)
    atomic_fetch_min(old, target, value);
  else if (kind == 3)
    atomic_fetch_exchange(old, target, value);
  else if constexpr (!std::is_same_v<T, f32>)
    kind == 4 ? atomic_fetch_and(old, target, value) : atomic_fetch_or(old, target, value);
}

/// A rectangle: each element once, whoever holds it; old values.
template <class T> void atomic_window(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows, cols});
  auto Y = k.inout<T>("y", {rows, cols});
  auto Old = k.output<T>("old", {rows, cols});

  Axis r("r", 16), c("c", 24);
  auto [j, i] = k.grid(ceil_div(cols, 24), ceil_div(rows, 16));
  Fragment<T> old;
  fetch(cfg.kind, old, Y(r.at(i), c.at(j)), load(X(r.at(i), c.at(j))));
  store(old, Old(r.at(i), c.at(j)));
}
TILE_KERNEL(atomic_window, Config, i32, f32, i64);

/// The same in shared memory, at an index, with a mask; old values only where they are there.
template <class T> void atomic_shared(Kernel &k, const Config &cfg) {
  Dim tiles("tiles");
  auto X = k.input<T>("x", {tiles, 100});
  auto Place = k.input<i32>("place", {tiles, 100});
  auto Keep = k.input<i1>("keep", {tiles, 100});
  auto Y = k.inout<T>("y", {tiles, 60});
  auto Old = k.output<T>("old", {tiles, 100});

  Axis n("n", 100), s("s", 60);
  auto [i] = k.grid(tiles);
  auto tile = k.alloc_shared<T>({s});
  store(load(Y(i, s)), tile);
  Fragment<T> old;
  fetch(cfg.kind, old, tile(load(Place(i, n))).where(load(Keep(i, n))), load(X(i, n)));
  store(old, Old(i, n));
  store(load(tile), Y(i, s));
}
TILE_KERNEL(atomic_shared, Config, i32, f32, i64);

/// Sums of columns into one row: the values of a column lie in several threads, after the reduction
/// several threads hold the same sum.
template <class T> void column_sums(Kernel &k, const Config &) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 40});
  auto Y = k.inout<T>("y", {40});
  auto Rank = k.output<T>("rank", {ceil_div(rows, 32), 40});

  Axis r("r", 32), c("c", 40);
  auto [i] = k.grid(ceil_div(rows, 32));
  auto sums = reduce_sum(load(X(r.at(i), c)), r);
  atomic_add(Y(c), sums);
  Fragment<T> old; // with a layout of copies
  atomic_fetch_add(old, Y(c), k.fragment<T>({c}, 0));
  store(where(old >= sums, k.fragment<T>({c}, 1), k.fragment<T>({c}, 0)), Rank(i, c));
}
TILE_KERNEL(column_sums, Config, i32);

/// Every element above 0 gets a place of its own in a list that all CTAs share.
template <class T> void append(Kernel &k, const Config &) {
  Dim size("size");
  auto X = k.input<T>("x", {size});
  auto List = k.inout<T>("list", {size});
  auto Count = k.inout<i32>("count", {1});

  Axis n("n", 300);
  auto [i] = k.grid(ceil_div(size, 300));
  auto x = load(X(n.at(i)));
  auto chosen = x > T(0);
  Fragment<i32> place;
  auto first = k.fragment<i32>({n}, 0);
  atomic_fetch_add(place, Count(first).where(chosen), 1);
  store(x, List(place).where(chosen));
}
TILE_KERNEL(append, Config, i32);

/// Single elements, of global and of shared memory, and an exchange that compares.
template <class T> void atomic_elements(Kernel &k, const Config &) {
  Dim ctas("ctas");
  auto Y = k.inout<T>("y", {5});
  auto Old = k.output<T>("old", {ctas, 4});

  Axis s("s", 3), t("t", 2);
  auto [i] = k.grid(ctas);
  auto tile = k.alloc_shared<T>({s, t});
  store(k.fragment<T>({s, t}, 7), tile);
  store(5, tile.at({2, 1}));
  Fragment<T> ticket, before, shared, outside;
  atomic_fetch_add(ticket, Y.at({0}), 1, {.order = MemoryOrder::acq_rel});
  atomic_max(Y.at({1}), ticket);
  atomic_or(Y.at({2}), k.fragment<T>({}, 1) << ticket);
  atomic_compare_exchange(before, Y.at({3}), 0, ticket + 1);
  atomic_fetch_add(outside, Y.at({-1}), 100);
  k.fence(MemoryOrder::acq_rel);
  atomic_add(tile.at({2, 1}), ticket);
  atomic_fetch_exchange(shared, tile.at({2, 1}), 0);
  store(ticket, Old.at({i, 0}));
  store(before, Old.at({i, 1}));
  store(shared, Old.at({i, 2}));
  store(outside + cast<T>(k.index(tile(1, 0))) + cast<T>(k.index(tile(2, 1))), Old.at({i, 3}));
}
TILE_KERNEL(atomic_elements, Config, i32, i64);

struct Stages {
  int stages = 2;
};
TILE_CONFIG(Stages, stages);

/// out[i], rows[i] and copies[i] are what `counter` and `row` are before they grow for the i-th
/// time: read first in the iteration, with nothing else in between that would order it, and by a
/// copy ahead.
template <class T> void read_then_add(Kernel &k, const Stages &cfg) {
  Dim steps("steps");
  auto Counter = k.inout<T>("counter", {1});
  auto Row = k.inout<T>("row", {64});
  auto Out = k.output<T>("out", {steps});
  auto Rows = k.output<T>("rows", {steps, 64});
  auto Copies = k.output<T>("copies", {steps, 64});

  Axis c("c", 64);
  k.grid(1);
  k.pipelined(steps, {.stages = cfg.stages}, [&](Index i) {
    store(Counter(0), Out.at({i}));
    store(load(Row(c)), Rows(i, c));
    auto tile = k.alloc_shared<T>({c});
    copy(Row(c), tile);
    store(load(tile), Copies(i, c));
    atomic_add(Counter.at({0}), 1);
    atomic_add(Row(c), cast<T>(i + 1));
  });
}
TILE_KERNEL(read_then_add, Stages, i32);
} // namespace

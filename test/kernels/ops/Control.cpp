//===- Control.cpp - loops with a condition, orders of CTAs, work items ----===//
// SPDX-License-Identifier: Apache-2.0
//
// For ControlTest.cpp.

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Empty {};
TILE_CONFIG(Empty);

/// How many steps of "half if even, else 3 x + 1" lead from x[i] to 1; the sum of the numbers on
/// the way, times 1, 2, ... in its columns.
template <class T> void collatz(Kernel &k, const Empty &) {
  Dim count("count");
  auto X = k.input<T>("x", {count});
  auto Steps = k.output<i64>("steps", {count});
  auto Sums = k.output<i32>("sums", {count, 40});
  Axis c("c", 40);
  auto [i] = k.grid(count);
  Index x = k.index(X(i)), steps = k.index(0);
  auto sums = k.fragment<i32>({c}, 0);
  k.loop_while([&] { return x > 1; },
               [&] {
                 sums += (k.iota(c) + 1) * x;
                 k.when(x % 2 == 0, [&] { x = x / 2; }, [&] { x = 3 * x + 1; });
                 steps += 1;
               });
  store(steps, Steps.at({i}));
  store(sums, Sums(i, c));
}
TILE_KERNEL(collatz, Empty, i32);

/// The first position of each value in a sorted list, by binary search; -1 for a negative value.
/// A loop under a condition, in a loop.
template <class T> void lower_bounds(Kernel &k, const Empty &) {
  Dim count("count"), values("values");
  auto List = k.input<T>("list", {count});
  auto Values = k.input<T>("values", {values});
  auto O = k.output<i64>("o", {values});
  k.grid(1);
  k.loop(values, [&](Index i) {
    Index value = Values(i), low = k.index(-1);
    k.when(value >= 0, [&] {
      low = k.index(0);
      Index high = k.index(count);
      k.loop_while([&] { return low < high; },
                   [&] {
                     Index middle = (low + high) / 2;
                     k.when(
                         List(middle) < value, [&] { low = middle + 1; }, [&] { high = middle; });
                   });
    });
    store(low, O.at({i}));
  });
}
TILE_KERNEL(lower_bounds, Empty, i32);

/// Rows of x, halved until their sum is below 100; shared memory and barriers in nested loops. o[i]
/// is x[i] reversed by then.
template <class T> void halve_rows(Kernel &k, const Empty &) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 96});
  auto O = k.output<T>("o", {rows, 96});
  auto Rounds = k.output<i32>("rounds", {rows});
  Axis c("c", 96);
  auto [i] = k.grid(rows);
  auto tile = k.alloc_shared<T>({c});
  auto row = load(X(i, c));
  auto rounds = k.fragment<i32>({}, 0);
  k.loop_while([&] { return reduce_sum(row, c) >= 100; },
               [&] {
                 auto left = k.fragment<i32>({}, 2);
                 k.loop_while([&] { return left > 0; },
                              [&] {
                                store(row, tile);
                                row = load(tile);
                                left -= 1;
                              });
                 row = row >> 1;
                 rounds += 1;
               });
  store(row, O(i, c));
  store(rounds, Rounds.at({i}));
}
TILE_KERNEL(halve_rows, Empty, i32);

struct Order {
  int order = 0; // 0 natural, 1 rising cost, 2 falling cost, 3 sections, 4 a list
};
TILE_CONFIG(Order, order);

/// o[z, y, x] = 100 z + 10 y + x; each CTA adds 1 to its element, so that a CTA that is missing or
/// doubled shows. `place` is the number under which the CTA started.
template <class T> void number_ctas(Kernel &k, const Order &cfg) {
  Dim nx("nx"), ny("ny"), nz("nz"), together("together");
  auto List = k.input<i32>("list", {nx * ny * nz});
  auto O = k.inout<T>("o", {nz, ny, nx});
  auto Place = k.output<i64>("place", {nz, ny, nx});
  auto grid = k.grid(nx, ny, nz);
  if (cfg.order == 1)
    grid = grid.cost([&](Dim, Dim y, Dim) { return (y + 1) * nx; });
  if (cfg.order == 2)
    grid = grid.cost([&](Dim x, Dim, Dim) { return ceil_div(nx - x, 2); });
  if (cfg.order == 3)
    grid = grid.cost([](Dim, Dim, Dim z) { return z; }, together);
  if (cfg.order == 4)
    grid = grid.order(List);
  auto [x, y, z] = grid;
  store(k.index(List(0) * 0 + together * 0) + O(z, y, x) + 100 * z + 10 * y + x, O.at({z, y, x}));
  store(k.program(), Place.at({z, y, x}));
}
TILE_KERNEL(number_ctas, Order, i32);

struct Persistent {
  int ctas_per_sm = 1;
};
TILE_CONFIG(Persistent, ctas_per_sm);

/// o[item] += the sum of row `item` of x, for the first *count entries of the list.
template <class T> void sum_listed(Kernel &k, const Persistent &cfg) {
  Dim rows("rows"), most("most");
  auto X = k.input<T>("x", {rows, 70});
  auto List = k.input<i32>("list", {most});
  auto Count = k.input<i32>("count", {1});
  auto O = k.inout<i32>("o", {rows});
  Axis c("c", 70);
  k.tiles(List, Count(0),
          [&](Index item) {
            auto sum = reduce_sum(load(X(item, c)), c);
            store(to_index(sum) + O(item), O.at({item}));
          },
          {.ctas_per_sm = cfg.ctas_per_sm});
}
TILE_KERNEL(sum_listed, Persistent, i32);

/// Products of rows of tiles, each over its own depth: pipelined loops in a loop over work items.
template <class T> void listed_products(Kernel &k, const Persistent &) {
  Dim items("items"), depth("depth");
  auto A = k.input<T>("a", {items, 64, depth});
  auto B = k.input<T>("b", {64, depth});
  auto Depths = k.input<i32>("depths", {items});
  auto C = k.output<f32>("c", {items, 64, 64});
  Axis m("m", 64), n("n", 64), d("d", 64);
  k.tiles(items, items, [&](Index i) {
    auto acc = k.fragment<f32>({m, n}, 0.0);
    k.pipelined(ceil_div(Depths(i), 64), {.stages = 2}, [&](Index step) {
      auto as = k.alloc_shared<T>({m, d});
      auto bs = k.alloc_shared<T>({n, d});
      copy(A(i, m, d.at(step).limit(Depths(i))), as);
      copy(B(n, d.at(step)), bs);
      acc = gemm(as, bs, acc);
    });
    store(acc, C(i, m, n));
  });
}
TILE_KERNEL(listed_products, Persistent, bf16);

struct Counted {
  int ctas_per_sm = 1, adds = 0;
};
TILE_CONFIG(Counted, ctas_per_sm, adds);

/// Products of the first *count rows of tiles, of which each has its depth. With `adds` their sum,
/// too: atomic operations are for all threads, so there are no roles.
template <class T> void counted_products(Kernel &k, const Counted &cfg) {
  Dim most("most"), depth("depth");
  auto A = k.input<T>("a", {most, 64, depth});
  auto B = k.input<T>("b", {64, depth});
  auto Count = k.input<i32>("count", {1});
  auto Depths = k.input<i32>("depths", {most});
  auto C = k.output<f32>("c", {most, 64, 64});
  auto Sum = k.inout<f32>("sum", {64, 64});
  Axis m("m", 64), n("n", 64), d("d", 64);
  k.tiles(most, Count(0),
          [&](Index i) {
            auto acc = k.fragment<f32>({m, n}, 0.0);
            k.pipelined(ceil_div(Depths(i), 64), {.stages = 2}, [&](Index step) {
              auto as = k.alloc_shared<T>({m, d});
              auto bs = k.alloc_shared<T>({n, d});
              copy(A(i, m, d.at(step)), as);
              copy(B(n, d.at(step)), bs);
              acc = gemm(as, bs, acc);
            });
            store(acc, C(i, m, n));
            if (cfg.adds)
              atomic_add(Sum(m, n), acc);
          },
          {.ctas_per_sm = cfg.ctas_per_sm});
}
TILE_KERNEL(counted_products, Counted, bf16);

/// Checks that 0 <= x[i] < limit, and that no row's sum is `bad`.
template <class T> void checked_copy(Kernel &k, const Empty &) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows, cols});
  auto limit = k.scalar<i32>("limit");
  auto bad = k.scalar<i32>("bad");
  auto O = k.output<T>("o", {rows, cols});
  Axis r("r", 4), c("c", 50);
  auto [i] = k.grid(ceil_div(rows, 4));
  auto x = load(X(r.at(i), c));
  k.check(unsigned_less(x, limit), "an element is out of range");
  auto sum = reduce_sum(reduce_sum(x, c), r);
  k.loop(2, [&](Index) { k.check(sum != bad, "100% bad"); });
  store(x, O(r.at(i), c));
}
TILE_KERNEL(checked_copy, Empty, i32);

/// Prints what it copies.
template <class T> void printed_copy(Kernel &k, const Empty &) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 3});
  auto O = k.output<T>("o", {rows, 3});
  Axis r("r", 2), c("c", 3);
  auto [i] = k.grid(ceil_div(rows, 2));
  auto x = load(X(r.at(i), c));
  k.print(x, "100% x");
  k.print(i, "block");
  k.print(reduce_any(reduce_any(cast<i32>(x) > 2, c), r), "above 2");
  store(x, O(r.at(i), c));
}
TILE_KERNEL(printed_copy, Empty, f32, bf16, i16, i64);
} // namespace

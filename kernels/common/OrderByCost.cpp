//===- OrderByCost.cpp - the order of falling costs ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block = 64, step = 512;
};
TILE_CONFIG(Config, block, step);

/// order[p] = the number of the p-th largest cost, the lower one first among equals: the list that
/// `k.grid(...).order(list)` takes. Counts, for each cost, those that come before it, so the work
/// grows with the square of their number; grids of 10000 CTAs take microseconds.
template <class T> void order_by_cost(Kernel &k, const Config &cfg) {
  Dim count("count");
  auto Cost = k.input<T>("cost", {count});
  auto Order = k.output<i32>("order", {count});

  Axis mine("mine", cfg.block), other("other", cfg.step);
  auto [i] = k.grid(ceil_div(count, cfg.block));
  auto place = mine.at(i).limit(count);
  auto cost = load(Cost(place));
  auto rank = k.fragment<i32>({mine}, 0);
  k.loop(ceil_div(count, cfg.step), [&](Index j) {
    auto others = other.at(j).limit(count);
    auto theirs = load(Cost(others));
    auto comes = (theirs > cost) | ((theirs == cost) & (others.position() < place.position()));
    rank += reduce_sum(cast<i32>(others.valid() & comes), other);
  });
  store(place.position(), Order(rank).where(place.valid()));
}
TILE_KERNEL(order_by_cost, Config, i32, f32);
} // namespace

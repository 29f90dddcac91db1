//===- Histogram.cpp - how often each number occurs -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int bins = 1024;
  int block = 4096, steps = 16; // elements read at once; how often, by one CTA
};
TILE_CONFIG(Config, bins, block, steps);

/// Adds to `count` how often each of 0 to bins - 1 occurs in `x`; other numbers are left out. Each CTA
/// counts in shared memory first.
template <class T> void histogram(Kernel &k, const Config &cfg) {
  Dim size("size");
  auto X = k.input<T>("x", {size});
  auto Count = k.inout<i32>("count", {cfg.bins});

  Axis n("n", cfg.block), bin("bin", cfg.bins);
  auto [cta] = k.grid(ceil_div(size, cfg.block * cfg.steps));
  auto bins = k.alloc_shared<i32>({bin});
  store(k.fragment<i32>({bin}, 0), bins);
  k.loop(cfg.steps, [&](Index step) {
    auto here = n.at(cta * cfg.steps + step);
    auto x = cast<i32>(load(X(here), -1.0)); // what is not there is in no bin
    atomic_add(bins(x).where((x >= 0) & (x < cfg.bins)), 1);
  });
  atomic_add(Count(bin), load(bins));
}

TILE_KERNEL(histogram, Config, i32, i8);
} // namespace

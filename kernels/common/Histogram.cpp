//===- Histogram.cpp - how often each number occurs -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int bins = 1024;
  int block = 4096; // elements read at once by one CTA
  // At most: each adds all its bins to `count`, which costs as much as many elements.
  int ctas = 1024;
  int warps = 8, ctas_per_sm = 0;
};
TILE_CONFIG(Config, bins, block, ctas, warps, ctas_per_sm);

/// Adds to `count` how often each of 0 to bins - 1 occurs in `x`; other numbers are left out. Each
/// CTA counts in shared memory first.
template <class T> void histogram(Kernel &k, const Config &cfg) {
  Dim size("size");
  auto X = k.input<T>("x", {size});
  auto Count = k.inout<i32>("count", {cfg.bins});

  // Numbers outside, and what is not there, go to a bin behind the others: no branch around each.
  Axis n("n", cfg.block), bin("bin", cfg.bins), all("all", cfg.bins + 32);
  Dim steps = ceil_div(size + 1, cfg.block * cfg.ctas);
  auto [cta] = k.grid(ceil_div(size, steps * cfg.block));
  auto bins = k.alloc_shared<i32>({all});
  store(k.fragment<i32>({all}, 0), bins);
  auto numbers = [&](Index step) { return load(X(n.at(cta * steps + step)), -1.0); };
  auto next = numbers(k.index(0));
  k.loop(steps, [&](Index step) {
    auto x = cast<i32>(next);
    next = numbers(step + 1);
    atomic_add(bins(where(unsigned_less(x, k.fragment<i32>({n}, cfg.bins)), x, cfg.bins)), 1);
  });
  atomic_add(Count(bin), load(bins.slice(all, 0, bin)));
}

TILE_KERNEL(histogram, Config, i32, i8);
} // namespace

//===- BlockLists.cpp - from a mask of blocks to lists of blocks ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

#include <type_traits>

using namespace tile;

namespace {
struct Config {
  int block_rows = 8, most = 512; // most: key blocks at most
  int warps = 4, ctas_per_sm = 8;
};
TILE_CONFIG(Config, block_rows, most, warps, ctas_per_sm);

template <class T> Fragment<i1> is_set(const Fragment<T> &mask) {
  if constexpr (std::is_same_v<T, i1>)
    return mask;
  else
    return mask != 0;
}

/// For each query block how many key blocks its row of the mask has, and which, ascending; -1
/// behind them. The lists that block-sparse attention reads.
template <class T> void block_lists(Kernel &k, const Config &cfg) {
  Dim batch("batch"), heads("heads"), q_blocks("q_blocks"), k_blocks("k_blocks");
  // Refuses rows of more than `most` blocks.
  auto Mask = k.input<T>("mask", {batch, heads, q_blocks, min(k_blocks, cfg.most)});
  auto Count = k.output<i32>("count", {batch, heads, q_blocks});
  auto Block = k.output<i32>("block", {batch, heads, q_blocks, k_blocks});

  Axis r("r", cfg.block_rows), n("n", cfg.most);
  auto [i, h, b] = k.grid(ceil_div(q_blocks, cfg.block_rows), heads, batch);
  auto rows = r.at(i);

  auto listed = is_set(load(Mask(b, h, rows, n)));
  auto flags = cast<i32>(listed);
  auto place = scan_sum(flags, n, {.exclusive = true});
  auto list = k.alloc_shared<i32>({r, n});
  store(k.fragment<i32>({r, n}, -1), list);
  store(where(listed, k.iota(n), -1), list(r, place).where(listed));
  copy(list, Block(b, h, rows, n));
  store(reduce_sum(flags, n), Count(b, h, rows));
}

TILE_KERNEL(block_lists, Config, i1, i8);
} // namespace

//===- GridOrder.h - which query blocks start first -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_ATTENTION_GRIDORDER_H
#define KERNELS_ATTENTION_GRIDORDER_H

#include "tile/dsl/Dsl.h"

namespace kernels {

/// Block of queries, head and batch of a CTA. Without a causal mask, the blocks of a head, which
/// read the same keys, start one after the other. With one the later blocks have more to do: those
/// of eight heads start first, so that no long run is the last; of no more, since then each head
/// has enough CTAs at a time to read its keys from L2. `persistent` where a CTA fills its SM: the
/// loads of the next block then run while this one ends, which otherwise another CTA on the SM sees
/// to.
inline tile::Grid<3> attention_grid(tile::Kernel &k, const tile::Dim &q_blocks,
                                    const tile::Dim &heads, const tile::Dim &batch, bool causal,
                                    bool persistent = false, tile::Loc loc = tile::Loc::current()) {
  constexpr int together = 8;
  auto grid = k.grid(q_blocks, heads, batch, loc);
  if (persistent)
    grid.persistent(/*ctas_per_sm=*/1, loc);
  if (!causal)
    return grid;
  return grid.cost([](tile::Dim block, tile::Dim, tile::Dim) { return block; }, together, loc);
}

} // namespace kernels

#endif // KERNELS_ATTENTION_GRIDORDER_H

//===- Grid.h - the grid of the loops' kernels ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_LOOPS_GRID_H
#define TEST_KERNELS_LOOPS_GRID_H

#include "tile/dsl/Dsl.h"

/// Blocks of queries and heads. `items`: 0 a CTA for each, 1 a persistent kernel that goes through
/// them, 2 the same with the later blocks of queries first.
inline tile::Grid<2> loopGrid(tile::Kernel &k, const tile::Dim &q_blocks, const tile::Dim &heads,
                              int items, tile::Loc loc = tile::Loc::current()) {
  auto grid = k.grid(q_blocks, heads, loc);
  if (items == 0)
    return grid;
  grid.persistent(/*ctas_per_sm=*/1, loc);
  if (items == 1)
    return grid;
  return grid.cost([](tile::Dim block, tile::Dim) { return block; }, {}, loc);
}

#endif // TEST_KERNELS_LOOPS_GRID_H

//===- Lists.h - selecting, ordering, counting for applications -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// tile/Attention.h says what holds for every call. None of these needs workspace, and all of them
// give the same result each time.

#ifndef TILE_LISTS_H
#define TILE_LISTS_H

#include "tile/Runtime.h"
#include "tile/Status.h"
#include "tile/Tensor.h"

namespace tile {

/// The min(k, length) largest of the first `length` elements of each row, in the order of their
/// positions. Exact; of equal elements those with the lowest positions; NaN is larger than
/// everything. Behind them positions of -1 and values of -inf. `x` [rows, cols] of f32; `length`
/// [rows] of i32, taken as 0 below 0 and as cols above; `position` [rows, k] of i32 and `value`
/// [rows, k] of f32, written. k is 1 to 2048; up to 64 is faster.
Status topK(Stream stream, const Tensor &x, const Tensor &length, const Tensor &position,
            const Tensor &value);

/// From a mask of blocks the lists that blockSparseAttention() (tile/Attention.h) reads: how many
/// key blocks each query block has, and which, ascending, then -1. `mask` [batch, heads, q_blocks,
/// k_blocks] of i1 or i8, where all but 0 counts; `count` [batch, heads, q_blocks] and `block`
/// [batch, heads, q_blocks, k_blocks] of i32, written. k_blocks is at most 8192 of i1 and 2048 of
/// i8.
Status blockLists(Stream stream, const Tensor &mask, const Tensor &count, const Tensor &block);

/// order[p] = the number of the p-th largest cost, of equal ones the lower number first: in this
/// order the longest work starts first. `cost` [count] of i32, `order` [count] of i32, written. The
/// work grows with the square of count; 10,000 take microseconds.
Status orderByCost(Stream stream, const Tensor &cost, const Tensor &order);

/// Adds to count[i] how often i occurs in `x`; numbers that are no index are left out. `x` [size]
/// of i32 or i8, `count` [1024] of i32, read and written.
Status histogram(Stream stream, const Tensor &x, const Tensor &count);

} // namespace tile

#endif // TILE_LISTS_H

//===- Copies.h - moving rows for applications ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// tile/Attention.h says what holds for every call. None of these needs workspace.

#ifndef TILE_COPIES_H
#define TILE_COPIES_H

#include "tile/Runtime.h"
#include "tile/Status.h"
#include "tile/Tensor.h"

namespace tile {

/// y = x for tensors [rows, cols] of f32, f16, bf16 or i32, with any row strides.
Status copy(Stream stream, const Tensor &x, const Tensor &y);

/// y = a * x + y for tensors [size] of f32, f16 or bf16; the sum is f32, rounded once.
Status axpy(Stream stream, float a, const Tensor &x, const Tensor &y);

/// Rows that lie in pages, one after the other: y[b, i] is row i % page of page table[b, i / page]
/// of `pool`, for every i below lengths[b]; other rows of `y` stay as they are.
///
/// `pool` [pages, page, dim] and `y` [batch, rows, dim] are both f32 or both bf16, with pages of 16
/// or 128 rows and a dim of 128, and their rows start at multiples of 16 bytes. `table` [batch,
/// entries] of i32 has an entry for each page of `rows`; one that names no page of `pool` gives
/// rows of 0, and those behind lengths[b] are not followed. `lengths` [batch] of i32.
Status pagedCopy(Stream stream, const Tensor &pool, const Tensor &table, const Tensor &lengths,
                 const Tensor &y);

/// Rows of segments of unequal lengths to other places: y[target[s] + r] = x[source[s] + r] for
/// every segment s and each row r of it. What no row goes to stays as it is.
///
/// `x` [rows, cols] and `y` [target_rows, cols] are both f32 or both bf16; of bf16, cols has to be
/// a multiple of 8 and rows start at multiples of 16 bytes, which is fastest of f32 too. `source`
/// [segments + 1] of i32 ascends: segment s ends where the next one starts, the last at
/// source[segments]; segments may be empty. `target` [segments] of i32; rows that would go outside
/// `y` are dropped. Of segments that meet in `y` any may win.
Status jaggedCopy(Stream stream, const Tensor &x, const Tensor &source, const Tensor &target,
                  const Tensor &y);

} // namespace tile

#endif // TILE_COPIES_H

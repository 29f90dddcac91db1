//===- OnlineSoftmax.h - softmax over scores that arrive in tiles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_COMMON_ONLINESOFTMAX_H
#define KERNELS_COMMON_ONLINESOFTMAX_H

#include "tile/dsl/Dsl.h"

namespace kernels {

/// The state of a softmax over the rows of tiles of scores in base 2: the true maximum so far and the
/// sum of 2^(score - maximum). A row without a finite score has the maximum -inf and the sum 0.
struct OnlineSoftmax {
  tile::Fragment<tile::f32> row_max, row_sum;

  OnlineSoftmax(tile::Kernel &k, const tile::Axis &rows, tile::Loc loc = tile::Loc::current()) {
    tile::Scope scope(k, loc);
    row_max = k.fragment<tile::f32>({rows}, -tile::inf);
    row_sum = k.fragment<tile::f32>({rows}, 0.0);
  }

  struct Step {
    /// 2^(score - new maximum): the tile's weights.
    tile::Fragment<tile::f32> weights;
    /// What earlier sums are multiplied by.
    tile::Fragment<tile::f32> decay;
  };

  /// Takes in the scores of one tile, whose columns are `columns`.
  Step update(const tile::Fragment<tile::f32> &scores, const tile::Axis &columns,
              tile::Loc loc = tile::Loc::current()) {
    tile::Scope scope(scores, loc);
    auto new_max = max(row_max, reduce_max(scores, columns));
    auto shift = where(new_max == -tile::inf, 0.0, new_max); // a fully masked row stays finite
    auto weights = exp2(scores - shift);
    auto decay = exp2(row_max - shift);
    row_sum = row_sum * decay + reduce_sum(weights, columns);
    row_max = new_max;
    return {weights, decay};
  }

  /// x / row sum; 0 in rows without a score.
  tile::Fragment<tile::f32> normalize(const tile::Fragment<tile::f32> &x,
                                      tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(x, loc);
    return where(row_sum == 0.0, 0.0, x / row_sum);
  }

  /// The natural logarithm of the sum of e^score' where score = score' * log2(e); -inf in rows without
  /// a score.
  tile::Fragment<tile::f32> log_sum(tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(row_sum, loc);
    return where(row_sum == 0.0, -tile::inf, (row_max + log2(row_sum)) * tile::ln2);
  }
};

} // namespace kernels

#endif // KERNELS_COMMON_ONLINESOFTMAX_H

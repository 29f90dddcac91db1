//===- OnlineSoftmax.h - softmax over scores that arrive in tiles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_COMMON_ONLINESOFTMAX_H
#define KERNELS_COMMON_ONLINESOFTMAX_H

#include "tile/dsl/Dsl.h"

namespace kernels {

/// The state of a softmax over the rows of tiles of scores: the true maximum so far and the sum of
/// 2^(unit * (score - maximum)). `unit` is log2(e) for plain scores and 1 for scores that are
/// already multiplied by it. A row without a finite score has the maximum -inf and the sum 0.
struct OnlineSoftmax {
  double unit;
  tile::Fragment<tile::f32> row_max, row_sum;

  OnlineSoftmax(tile::Kernel &k, const tile::Axis &rows, double unit,
                tile::Loc loc = tile::Loc::current())
      : unit(unit) {
    tile::Scope scope(k, loc);
    row_max = k.fragment<tile::f32>({rows}, -tile::inf);
    row_sum = k.fragment<tile::f32>({rows}, 0.0);
  }

  struct Step {
    /// The tile's weights, not yet divided by the sum.
    tile::Fragment<tile::f32> weights;
    /// What earlier sums are multiplied by.
    tile::Fragment<tile::f32> decay;
  };

  /// Takes in the scores of one tile, whose columns are `columns`.
  Step update(const tile::Fragment<tile::f32> &scores, const tile::Axis &columns,
              tile::Loc loc = tile::Loc::current()) {
    tile::Scope scope(scores, loc);
    auto new_max = max(row_max, reduce_max(scores, columns));
    auto shift = finite(new_max);
    auto weights = power(scores - shift);
    auto decay = power(row_max - shift);
    row_sum = row_sum * decay + reduce_sum(weights, columns);
    row_max = new_max;
    return {weights, decay};
  }

  /// The weights of scores that have been taken in before.
  tile::Fragment<tile::f32> weights(const tile::Fragment<tile::f32> &scores,
                                    tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(scores, loc);
    return power(scores - finite(row_max));
  }

  /// x / row sum; 0 in rows without a score.
  tile::Fragment<tile::f32> normalize(const tile::Fragment<tile::f32> &x,
                                      tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(x, loc);
    return where(row_sum == 0.0, 0.0, x / row_sum);
  }

  /// The natural logarithm of the sum of the weights times e^maximum; -inf in rows without a score.
  tile::Fragment<tile::f32> log_sum(tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(row_sum, loc);
    auto scaled = unit == 1.0 ? row_max : row_max * unit;
    return where(row_sum == 0.0, -tile::inf, (scaled + log2(row_sum)) * tile::ln2);
  }

private:
  tile::Fragment<tile::f32> power(const tile::Fragment<tile::f32> &x) const {
    return unit == 1.0 ? exp2(x) : exp2(x * unit);
  }
  /// A fully masked row stays finite: -inf - -inf would be NaN.
  static tile::Fragment<tile::f32> finite(const tile::Fragment<tile::f32> &maximum) {
    return where(maximum == -tile::inf, 0.0, maximum);
  }
};

} // namespace kernels

#endif // KERNELS_COMMON_ONLINESOFTMAX_H

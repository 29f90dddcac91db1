//===- OnlineSoftmax.h - softmax over scores that arrive in tiles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_COMMON_ONLINESOFTMAX_H
#define KERNELS_COMMON_ONLINESOFTMAX_H

#include "tile/dsl/Dsl.h"

namespace kernels {

/// The state of a softmax over the rows of tiles of scores: a reference and the sum of
/// 2^(unit * (score - reference)). `unit` is log2(e) for plain scores and 1 for scores that are
/// already multiplied by it. A row without a finite score has the reference -inf and the sum 0.
///
/// The reference is at most `most_lag` below the row's maximum, in base 2; where it lies is left to
/// the compiler: `follow`. While it stays, every decay is 1 and what was summed up stays as it is
/// (conditional rescaling: FlashAttention-4, 2026), and where it is presumed to stay, weights need
/// no maximum (`sm-presume-reference`). Weights are at most 2^8 instead of 1, far from the ends of
/// f32, bf16 and f16, and the reference cancels out where the sum divides.
struct OnlineSoftmax {
  static constexpr double most_lag = 8;

  double unit;
  tile::Fragment<tile::f32> reference, row_sum;

  OnlineSoftmax(tile::Kernel &k, const tile::Axis &rows, double unit,
                tile::Loc loc = tile::Loc::current())
      : unit(unit) {
    tile::Scope scope(k, loc);
    reference = k.fragment<tile::f32>({rows}, -tile::inf);
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
    auto tile_max = reduce_max(scores, columns);
    auto follows = follow(reference, tile_max, most_lag / unit);
    auto shift = finite(follows);
    auto weights = power(scores - shift);
    auto decay = power(reference - shift);
    row_sum = row_sum * decay + reduce_sum(weights, columns);
    reference = follows;
    return {weights, decay};
  }

  /// The weights of scores that have been taken in before.
  tile::Fragment<tile::f32> weights(const tile::Fragment<tile::f32> &scores,
                                    tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(scores, loc);
    return power(scores - finite(reference));
  }

  /// x / row sum; 0 in rows without a score.
  tile::Fragment<tile::f32> normalize(const tile::Fragment<tile::f32> &x,
                                      tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(x, loc);
    return where(row_sum == 0.0, 0.0, x / row_sum);
  }

  /// The natural logarithm of the sum of e^score, or of 2^score if `unit` is 1; -inf in rows
  /// without a score.
  tile::Fragment<tile::f32> log_sum(tile::Loc loc = tile::Loc::current()) const {
    tile::Scope scope(row_sum, loc);
    auto scaled = unit == 1.0 ? reference : reference * unit;
    return where(row_sum == 0.0, -tile::inf, (scaled + log2(row_sum)) * tile::ln2);
  }

private:
  tile::Fragment<tile::f32> power(const tile::Fragment<tile::f32> &x) const {
    return unit == 1.0 ? exp2(x) : exp2(x * unit);
  }
  /// A fully masked row stays finite: -inf - -inf would be NaN.
  static tile::Fragment<tile::f32> finite(const tile::Fragment<tile::f32> &reference) {
    return where(reference == -tile::inf, 0.0, reference);
  }
};

} // namespace kernels

#endif // KERNELS_COMMON_ONLINESOFTMAX_H

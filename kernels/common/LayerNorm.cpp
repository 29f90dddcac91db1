//===- LayerNorm.cpp - rows of mean 0 and variance 1, scaled and shifted --===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block_rows = 1, block_cols = 4096;
  int parts = 4;                  // in which a block is read and written
  int warps = 0, ctas_per_sm = 0; // 0: the compiler's choice
  bool aligned = false;           // rows are multiples of 16 elements
};
TILE_CONFIG(Config, block_rows, block_cols, parts, warps, ctas_per_sm, aligned);

/// What is known of the elements seen so far, row by row.
struct Moments {
  Fragment<f32> count, mean, squares; // of which the last: of differences with the mean

  /// Joins those of other elements.
  void add(const Moments &other) {
    auto total = count + other.count;
    auto gap = other.mean - mean, share = other.count / total;
    squares += other.squares + gap * gap * (count * share);
    mean += gap * share;
    count = total;
  }
};

/// y = (x - mean) / sqrt(variance + eps) * weight + bias, row by row, in f32 and rounded once. The
/// variance comes from differences with the mean, block by block, so that rows far from 0 lose
/// nothing. A row of up to `block_cols` is read once, a longer one twice. Parts keep what is live
/// at a time small: the weights of one are read when the one before is written. Parts past the row
/// are skipped.
template <class T> void layer_norm(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  if (cfg.aligned)
    cols.multiple_of(16);
  auto X = k.input<T>("x", {rows, cols});
  auto W = k.input<T>("weight", {cols});
  auto B = k.input<T>("bias", {cols});
  auto Y = k.output<T>("y", {rows, cols});
  auto eps = k.scalar<f32>("eps");

  Axis r("r", cfg.block_rows), c("c", cfg.block_cols / cfg.parts);
  auto [i] = k.grid(ceil_div(rows, cfg.block_rows));
  auto part = [&](const IndexOperand &j) { return cast<f32>(load(X(r.at(i), c.at(j)))); };
  // Squares of differences with the mean; what is past the row is no part of it.
  auto squares = [&](const Fragment<f32> &x, const Fragment<f32> &mean, const IndexOperand &j) {
    auto apart = where(c.at(k.index(j)).limit(cols).valid(), x - mean, 0.0);
    return apart * apart;
  };
  auto counted = [&](const IndexOperand &length) {
    return k.fragment<f32>({r}, 0.0) + cast<f32>(k.index(length));
  };
  struct Weights {
    Fragment<T> scale, shift;
  };
  auto weights = [&](const IndexOperand &j) { return Weights{load(W(c.at(j))), load(B(c.at(j)))}; };
  auto result = [&](const Fragment<f32> &x, const Moments &row, const Fragment<f32> &factor,
                    const Weights &by, const IndexOperand &j) {
    auto y = (x - row.mean) * factor * cast<f32>(by.scale) + cast<f32>(by.shift);
    store(cast<T>(y), Y(r.at(i), c.at(j)));
  };
  auto factor = [&](const Moments &row) { return rsqrt(row.squares / row.count + eps); };

  auto whole = [&] {
    std::vector<Fragment<f32>> x;
    for (int j = 0; j < cfg.parts; ++j)
      x.push_back(part(j));
    auto sum = x[0];
    for (int j = 1; j < cfg.parts; ++j)
      sum += x[j];
    Moments row{counted(cols), {}, {}};
    row.mean = reduce_sum(sum, c) / row.count;
    auto all = squares(x[0], row.mean, 0);
    for (int j = 1; j < cfg.parts; ++j)
      k.when(k.index(cols) > j * c.extent(), [&] { all += squares(x[j], row.mean, j); });
    row.squares = reduce_sum(all, c);
    auto by = factor(row);
    result(x[0], row, by, weights(0), 0);
    for (int j = 1; j < cfg.parts; ++j)
      k.when(k.index(cols) > j * c.extent(), [&] { result(x[j], row, by, weights(j), j); });
  };
  auto longer = [&] {
    auto moments = [&](const IndexOperand &j) {
      auto x = part(j);
      Moments here{counted(min(k.index(cols) - k.index(j) * c.extent(), c.extent())), {}, {}};
      here.mean = reduce_sum(x, c) / here.count;
      here.squares = reduce_sum(squares(x, here.mean, j), c);
      return here;
    };
    auto row = moments(0);
    Dim more = ceil_div(cols, c.extent()) - 1;
    k.loop(more, [&](Index j) { row.add(moments(j + 1)); });
    auto by = factor(row);
    k.loop(more + 1, [&](Index j) { result(part(j), row, by, weights(j), j); });
  };
  k.when(k.index(cols) <= cfg.block_cols, whole, longer);
}

TILE_KERNEL(layer_norm, Config, f32, f16, bf16);
} // namespace

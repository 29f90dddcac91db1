//===- LayerNorm.cpp - rows of mean 0 and variance 1, scaled and shifted --===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block_rows = 1, block_cols = 4096;
  int warps = 0, ctas_per_sm = 0; // 0: the compiler's choice
  bool aligned = false;           // rows are multiples of 16 elements
};
TILE_CONFIG(Config, block_rows, block_cols, warps, ctas_per_sm, aligned);

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
/// variance comes from differences with the mean, chunk by chunk, so that rows far from 0 lose
/// nothing. A row of up to `block_cols` is read once, a longer one twice.
template <class T> void layer_norm(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  if (cfg.aligned)
    cols.multiple_of(16);
  auto X = k.input<T>("x", {rows, cols});
  auto W = k.input<T>("weight", {cols});
  auto B = k.input<T>("bias", {cols});
  auto Y = k.output<T>("y", {rows, cols});
  auto eps = k.scalar<f32>("eps");

  Axis r("r", cfg.block_rows), c("c", cfg.block_cols);
  auto [i] = k.grid(ceil_div(rows, cfg.block_rows));
  auto chunk = [&](const IndexOperand &j) { return cast<f32>(load(X(r.at(i), c.at(j)))); };
  auto moments = [&](const Fragment<f32> &x, const IndexOperand &j) {
    auto here = c.at(k.index(j)).limit(cols).valid();
    Index length = min(k.index(cols) - k.index(j) * cfg.block_cols, cfg.block_cols);
    auto count = k.fragment<f32>({r}, 0.0) + cast<f32>(length);
    auto mean = reduce_sum(x, c) / count;
    auto apart = where(here, x - mean, 0.0);
    return Moments{count, mean, reduce_sum(apart * apart, c)};
  };
  auto result = [&](const Fragment<f32> &x, const Moments &row, const Fragment<f32> &factor,
                    const IndexOperand &j) {
    auto y = (x - row.mean) * factor * cast<f32>(load(W(c.at(j)))) + cast<f32>(load(B(c.at(j))));
    store(cast<T>(y), Y(r.at(i), c.at(j)));
  };
  auto factor = [&](const Moments &row) { return rsqrt(row.squares / row.count + eps); };

  auto whole = [&] {
    auto x = chunk(0);
    auto row = moments(x, 0);
    result(x, row, factor(row), 0);
  };
  auto chunks = [&] {
    auto row = moments(chunk(0), 0);
    Dim more = ceil_div(cols, cfg.block_cols) - 1;
    k.loop(more, [&](Index j) { row.add(moments(chunk(j + 1), j + 1)); });
    auto by = factor(row);
    k.loop(more + 1, [&](Index j) { result(chunk(j), row, by, j); });
  };
  k.when(k.index(cols) <= cfg.block_cols, whole, chunks);
}

TILE_KERNEL(layer_norm, Config, f32, f16, bf16);
} // namespace

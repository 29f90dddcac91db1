//===- QuantizeRows.cpp - rows as 8-bit floats with a scale each ----------===//
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

constexpr double largest = 448, smallest = 0x1p-100, float_max = 0x1.fffffep127;

/// q = x / scale in e4m3, where scale brings the largest |x| of a row to 448: q * scale is x again,
/// up to rounding. The scale is at least 2^-100 / 448, so that a row of zeros has one; infinities
/// become 448, and NaN stays NaN and does not count. A row of up to `block_cols` is read once, a
/// longer one twice. Parts past the row are skipped.
template <class T> void quantize_rows(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  if (cfg.aligned)
    cols.multiple_of(16);
  auto X = k.input<T>("x", {rows, cols});
  auto Q = k.output<e4m3>("q", {rows, cols});
  auto S = k.output<f32>("scale", {rows});

  Axis r("r", cfg.block_rows), c("c", cfg.block_cols / cfg.parts);
  auto [i] = k.grid(ceil_div(rows, cfg.block_rows));
  auto part = [&](const IndexOperand &j) { return cast<f32>(load(X(r.at(i), c.at(j)))); };
  // Stores the scales of rows whose largest |x| is `size`; what is left is what x is multiplied by.
  auto factor = [&](const Fragment<f32> &size) {
    auto limited = min(max(size, smallest), float_max);
    store(limited * (1 / largest), S(r.at(i)));
    return largest / limited;
  };
  auto result = [&](const Fragment<f32> &scaled, const IndexOperand &j) {
    store(cast<e4m3>(scaled), Q(r.at(i), c.at(j)));
  };

  auto whole = [&] {
    std::vector<Fragment<f32>> x;
    for (int j = 0; j < cfg.parts; ++j)
      x.push_back(part(j));
    auto size = abs(x[0]);
    for (int j = 1; j < cfg.parts; ++j)
      size = max(size, abs(x[j]));
    auto by = factor(reduce_max(size, c));
    result(x[0] * by, 0);
    for (int j = 1; j < cfg.parts; ++j)
      k.when(k.index(cols) > j * c.extent(), [&] { result(x[j] * by, j); });
  };
  auto longer = [&] {
    Dim count = ceil_div(cols, c.extent());
    auto size = k.fragment<f32>({r}, 0.0);
    k.loop(count, [&](Index j) { size = max(size, reduce_absmax(part(j), c)); });
    auto by = factor(size);
    k.loop(count, [&](Index j) { result(part(j) * by, j); });
  };
  k.when(k.index(cols) <= cfg.block_cols, whole, longer);
}

TILE_KERNEL(quantize_rows, Config, f32, f16, bf16);
} // namespace

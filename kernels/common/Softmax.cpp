//===- Softmax.cpp - softmax of the rows of a matrix ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OnlineSoftmax.h"

using namespace tile;

namespace {
struct Config {
  int block_rows = 4, block_cols = 512;
};
TILE_CONFIG(Config, block_rows, block_cols);

/// Rows of any length, in two passes over their chunks: the maximum and the sum, then the result. A
/// row that is -inf throughout gives 0.
template <class T> void softmax(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows, cols});
  auto Y = k.output<T>("y", {rows, cols});

  Axis r("r", cfg.block_rows), c("c", cfg.block_cols);
  auto [i] = k.grid(ceil_div(rows, cfg.block_rows));
  auto chunk = [&](Index j) { return cast<f32>(load(X(r.at(i), c.at(j)), -inf)); };

  kernels::OnlineSoftmax state(k, r, log2e);
  k.loop(ceil_div(cols, cfg.block_cols), [&](Index j) { state.update(chunk(j), c); });
  k.loop(ceil_div(cols, cfg.block_cols), [&](Index j) {
    store(cast<T>(state.normalize(state.weights(chunk(j)))), Y(r.at(i), c.at(j)));
  });
}

TILE_KERNEL(softmax, Config, f32, f16, bf16);
} // namespace

//===- Softmax.cpp - softmax of the rows of a matrix ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OnlineSoftmax.h"

using namespace tile;

namespace {
struct Config {
  int block_rows = 4, block_cols = 512;
  int warps = 0, ctas_per_sm = 0; // 0: the compiler's choice
};
TILE_CONFIG(Config, block_rows, block_cols, warps, ctas_per_sm);

/// Rows of any length. One that fits in the block is read once and stays in registers; a longer one
/// is read in two passes over its chunks: the maximum and the sum, then the result. A row that is
/// -inf throughout gives 0.
template <class T> void softmax(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows, cols});
  auto Y = k.output<T>("y", {rows, cols});

  Axis r("r", cfg.block_rows), c("c", cfg.block_cols);
  auto [i] = k.grid(ceil_div(rows, cfg.block_rows));
  auto chunk = [&](const IndexOperand &j) { return cast<f32>(load(X(r.at(i), c.at(j)), -inf)); };
  auto result = [&](const Fragment<f32> &weights, const IndexOperand &j) {
    store(cast<T>(weights), Y(r.at(i), c.at(j)));
  };

  auto whole = [&] {
    kernels::OnlineSoftmax state(k, r, log2e);
    auto weights = state.update(chunk(0), c).weights;
    result(state.normalize(weights), 0);
  };
  auto chunks = [&] {
    kernels::OnlineSoftmax state(k, r, log2e);
    k.loop(ceil_div(cols, cfg.block_cols), [&](Index j) { state.update(chunk(j), c); });
    k.loop(ceil_div(cols, cfg.block_cols),
           [&](Index j) { result(state.normalize(state.weights(chunk(j))), j); });
  };
  k.when(k.index(cols) <= cfg.block_cols, whole, chunks);
}

TILE_KERNEL(softmax, Config, f32, f16, bf16);
} // namespace

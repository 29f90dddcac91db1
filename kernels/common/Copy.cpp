//===- Copy.cpp - y = x for tensors of two dimensions ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block_rows = 32, block_cols = 128;
};
TILE_CONFIG(Config, block_rows, block_cols);

template <class T> void copy(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows, cols});
  auto Y = k.output<T>("y", {rows, cols});

  Axis r("r", cfg.block_rows), c("c", cfg.block_cols);
  auto [j, i] = k.grid(ceil_div(cols, cfg.block_cols), ceil_div(rows, cfg.block_rows));
  store(load(X(r.at(i), c.at(j))), Y(r.at(i), c.at(j)));
}

TILE_KERNEL(copy, Config, f32, f16, bf16, i32);
} // namespace

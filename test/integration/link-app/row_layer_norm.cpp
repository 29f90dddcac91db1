// row_layer_norm.cpp - layer norm of the rows of a matrix.
#include "tile/dsl/Dsl.h"
using namespace tile;

namespace {
struct Config {
  int block_rows = 4, block_cols = 512;
};
TILE_CONFIG(Config, block_rows, block_cols);

template <class T> void row_layer_norm(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows, cols});
  auto Weight = k.input<f32>("weight", {cols});
  auto Bias = k.input<f32>("bias", {cols});
  auto Y = k.output<T>("y", {rows, cols});
  auto inverse_cols = k.scalar<f32>("inverse_cols").positive();
  auto epsilon = k.scalar<f32>("epsilon").positive();

  Axis r("r", cfg.block_rows), c("c", cfg.block_cols);
  auto [i] = k.grid(ceil_div(rows, cfg.block_rows));
  Dim chunks = ceil_div(cols, cfg.block_cols);
  auto chunk = [&](Index j) { return cast<f32>(load(X(r.at(i), c.at(j)))); };

  auto sum = k.fragment<f32>({r}, 0.0);
  k.loop(chunks, [&](Index j) { sum += reduce_sum(chunk(j), c); });
  auto mean = sum * inverse_cols;

  auto squares = k.fragment<f32>({r}, 0.0);
  k.loop(chunks, [&](Index j) {
    // No padding in the sum.
    auto distance = where(c.at(j).limit(cols).valid(), chunk(j) - mean, 0.0);
    squares += reduce_sum(distance * distance, c);
  });
  auto factor = rsqrt(squares * inverse_cols + epsilon);

  k.loop(chunks, [&](Index j) {
    auto y = (chunk(j) - mean) * factor * load(Weight(c.at(j))) + load(Bias(c.at(j)));
    store(cast<T>(y), Y(r.at(i), c.at(j)));
  });
}

TILE_KERNEL(row_layer_norm, Config, f32, bf16);
} // namespace

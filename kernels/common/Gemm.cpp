//===- Gemm.cpp - c = a * b -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block_m = 128, block_n = 128, block_k = 64, stages = 3;
  bool transpose_b = false;
  bool aligned = false; // n and k are multiples of 8: rows of a and b start at multiples of 16 bytes
};
TILE_CONFIG(Config, block_m, block_n, block_k, stages, transpose_b, aligned);

/// Tiles in an order that reuses rows of `a` and columns of `b` while they are in L2: column by column
/// through bands of eight rows of tiles.
std::pair<Index, Index> banded(Index tile, const Dim &tile_rows, const Dim &tile_cols) {
  Index band = tile / (8 * tile_cols);
  Index within = tile % (8 * tile_cols);
  Index height = min(tile_rows - band * 8, 8);
  return {band * 8 + within % height, within / height};
}

/// Products and sums in f32, rounded once. `b` is [k, n], or [n, k] with transpose_b.
template <class T> void gemm(Kernel &k, const Config &cfg) {
  Dim m_len("m"), n_len("n"), k_len("k");
  if (cfg.aligned) {
    n_len.multiple_of(8);
    k_len.multiple_of(8);
  }
  auto A = k.input<T>("a", {m_len, k_len});
  auto B = cfg.transpose_b ? k.input<T>("b", {n_len, k_len}) : k.input<T>("b", {k_len, n_len});
  auto C = k.output<T>("c", {m_len, n_len});

  Axis m("m", cfg.block_m), n("n", cfg.block_n), kk("k", cfg.block_k);
  Dim tile_rows = ceil_div(m_len, cfg.block_m), tile_cols = ceil_div(n_len, cfg.block_n);
  auto [tile] = k.grid(tile_rows * tile_cols);
  auto [i, j] = banded(tile, tile_rows, tile_cols);
  auto rows = m.at(i), cols = n.at(j);
  auto acc = k.fragment<f32>({m, n}, 0.0);

  k.pipelined(ceil_div(k_len, cfg.block_k), {.stages = cfg.stages}, [&](Index step) {
    auto depth = kk.at(step);
    auto as = k.alloc_shared<T>({m, kk});
    auto bs = cfg.transpose_b ? k.alloc_shared<T>({n, kk}) : k.alloc_shared<T>({kk, n});
    copy(A(rows, depth), as);
    copy(cfg.transpose_b ? B(cols, depth) : B(depth, cols), bs);
    acc = gemm(as, bs, acc);
  });
  store(cast<T>(acc), C(rows, cols));
}

TILE_KERNEL(gemm, Config, bf16, f16);
} // namespace

//===- Gemm.cpp - c = a * b -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TileOrder.h"

using namespace tile;

namespace {
struct Config {
  int block_m = 128, block_n = 128, block_k = 64, stages = 3;
  bool transpose_b = false;
  bool aligned = false; // rows of a, b and c start at multiples of 16 bytes
};
TILE_CONFIG(Config, block_m, block_n, block_k, stages, transpose_b, aligned);

/// Products and sums in f32, rounded once, to bf16 from 8-bit types. `b` is [k, n], or [n, k] with
/// transpose_b; for 8-bit types it has to be [n, k].
template <class T> void gemm(Kernel &k, const Config &cfg) {
  using C = typename kernels::ProductOf<T>::type;
  Dim m_len("m"), n_len("n"), k_len("k");
  if (cfg.aligned) {
    n_len.multiple_of(8);
    k_len.multiple_of(std::same_as<T, C> ? 8 : 16);
  }
  auto A = k.input<T>("a", {m_len, k_len});
  auto B = cfg.transpose_b ? k.input<T>("b", {n_len, k_len}) : k.input<T>("b", {k_len, n_len});
  auto out = k.output<C>("c", {m_len, n_len});

  Axis m("m", cfg.block_m), n("n", cfg.block_n), kk("k", cfg.block_k);
  Dim tile_rows = ceil_div(m_len, cfg.block_m), tile_cols = ceil_div(n_len, cfg.block_n);
  auto [tile] = k.grid(tile_rows * tile_cols);
  auto [i, j] = kernels::banded(tile, tile_rows, tile_cols);
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
  store(cast<C>(acc), out(rows, cols));
}

TILE_KERNEL(gemm, Config, bf16, f16, e4m3, e5m2);
} // namespace

//===- GatheredGemm.cpp - products of rows picked by a list ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TileOrder.h"

using namespace tile;

namespace {
struct Config {
  int block_m = 128, block_n = 128, block_k = 64, stages = 4;
  bool aligned = false; // rows of a, b and c start at multiples of 16 bytes
};
TILE_CONFIG(Config, block_m, block_n, block_k, stages, aligned);

/// c[i] = a[rows[i]] * b, products and sums in f32, rounded once; 0 where rows[i] names no row. The
/// rows go straight to shared memory, where the tensor cores read them.
template <class T> void gathered_gemm(Kernel &k, const Config &cfg) {
  Dim a_len("a_rows"), m_len("m"), n_len("n"), k_len("k");
  if (cfg.aligned) {
    n_len.multiple_of(8);
    k_len.multiple_of(8);
  }
  auto A = k.input<T>("a", {a_len, k_len});
  auto Rows = k.input<i32>("rows", {m_len});
  auto B = k.input<T>("b", {k_len, n_len});
  auto C = k.output<T>("c", {m_len, n_len});

  Axis m("m", cfg.block_m), n("n", cfg.block_n), kk("k", cfg.block_k);
  Dim tile_rows = ceil_div(m_len, cfg.block_m), tile_cols = ceil_div(n_len, cfg.block_n);
  auto [tile] = k.grid(tile_rows * tile_cols);
  auto [i, j] = kernels::banded(tile, tile_rows, tile_cols);
  auto rows = m.at(i), cols = n.at(j);
  auto picked = load(Rows(rows), -1);
  auto acc = k.fragment<f32>({m, n}, 0.0);

  k.pipelined(ceil_div(k_len, cfg.block_k), {.stages = cfg.stages}, [&](Index step) {
    auto depth = kk.at(step);
    auto as = k.alloc_shared<T>({m, kk});
    auto bs = k.alloc_shared<T>({kk, n});
    copy(A(picked, depth), as);
    copy(B(depth, cols), bs);
    acc = gemm(as, bs, acc);
  });
  store(cast<T>(acc), C(rows, cols));
}
TILE_KERNEL(gathered_gemm, Config, bf16, f16);
} // namespace

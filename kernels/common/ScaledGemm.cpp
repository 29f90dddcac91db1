//===- ScaledGemm.cpp - products of 8-bit matrices with scales ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TileOrder.h"

using namespace tile;

namespace {
struct Config {
  int block_m = 128, block_n = 128, block_k = 128, stages = 3;
  bool wide = false;    // c is f32
  bool aligned = false; // rows of a, b and c start at multiples of 16 bytes
};
TILE_CONFIG(Config, block_m, block_n, block_k, stages, wide, aligned);

/// c[i, j] = scale_a[i] * scale_b[j] * sum over l of a[i, l] * b[j, l]: what quantize_rows made of
/// two matrices. Scaled in f32 and rounded once, to bf16 or, with `wide`, not at all.
template <class T, class C> void scaled(Kernel &k, const Config &cfg) {
  Dim m_len("m"), n_len("n"), k_len("k");
  if (cfg.aligned) {
    n_len.multiple_of(8);
    k_len.multiple_of(16);
  }
  auto A = k.input<T>("a", {m_len, k_len});
  auto B = k.input<T>("b", {n_len, k_len});
  auto scale_a = k.input<f32>("scale_a", {m_len});
  auto scale_b = k.input<f32>("scale_b", {n_len});
  auto out = k.output<C>("c", {m_len, n_len});

  Axis m("m", cfg.block_m), n("n", cfg.block_n), kk("k", cfg.block_k);
  Dim tile_rows = ceil_div(m_len, cfg.block_m), tile_cols = ceil_div(n_len, cfg.block_n);
  auto [tile] = k.grid(tile_rows * tile_cols);
  auto [i, j] = kernels::banded(tile, tile_rows, tile_cols);
  auto rows = m.at(i), cols = n.at(j);
  auto acc = k.fragment<f32>({m, n}, 0.0);

  k.pipelined(ceil_div(k_len, cfg.block_k), {.stages = cfg.stages}, [&](Index step) {
    auto as = k.alloc_shared<T>({m, kk}), bs = k.alloc_shared<T>({n, kk});
    copy(A(rows, kk.at(step)), as);
    copy(B(cols, kk.at(step)), bs);
    acc = gemm(as, bs, acc);
  });
  store(cast<C>(acc * load(scale_a(rows)) * load(scale_b(cols))), out(rows, cols));
}

template <class T> void scaled_gemm(Kernel &k, const Config &cfg) {
  cfg.wide ? scaled<T, f32>(k, cfg) : scaled<T, bf16>(k, cfg);
}

TILE_KERNEL(scaled_gemm, Config, e4m3, e5m2);
} // namespace

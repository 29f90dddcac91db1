//===- GroupedGemm.cpp - runs of rows with a matrix each ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Groups {
  int rows = 128, groups = 2, cols = 64, depth = 64;
  int columns_last = 0; // of `b`: [groups, depth, cols], else [groups, cols, depth]
  int registers = 0;    // `a` is there
  int warps = 0;        // 0: as many as the product wants
};
TILE_CONFIG(Groups, rows, groups, cols, depth, columns_last, registers, warps);

/// out = start + a * b[r], each of the equal runs r of rows by its own matrix.
template <class T> void grouped_product(Kernel &k, const Groups &cfg) {
  auto A = k.input<T>("a", {cfg.rows, cfg.depth});
  auto B = cfg.columns_last ? k.input<T>("b", {cfg.groups, cfg.depth, cfg.cols})
                            : k.input<T>("b", {cfg.groups, cfg.cols, cfg.depth});
  auto Start = k.input<f32>("start", {cfg.rows, cfg.cols});
  auto Out = k.output<f32>("out", {cfg.rows, cfg.cols});
  Axis g("g", cfg.groups), m("m", cfg.rows), n("n", cfg.cols), d("d", cfg.depth);
  k.grid(1);
  if (cfg.warps)
    k.warps(cfg.warps);
  auto as = k.alloc_shared<T>({m, d});
  copy(A(m, d), as);
  auto bs = cfg.columns_last ? k.alloc_shared<T>({g, d, n}) : k.alloc_shared<T>({g, n, d});
  copy(cfg.columns_last ? B(g, d, n) : B(g, n, d), bs);
  auto start = load(Start(m, n));
  store(cfg.registers ? grouped_gemm(load(as), bs, start) : grouped_gemm(as, bs, start), Out(m, n));
}
TILE_KERNEL(grouped_product, Groups, bf16, f16, e4m3);

struct Inner {
  int taken = 2, cols = 64, depth = 64;
};
TILE_CONFIG(Inner, taken, cols, depth);

/// out = a * b^T, where `b` is a part of a tile of five matrices: from matrix `first` on, from its
/// row `row` and column 64 on.
template <class T> void grouped_part(Kernel &k, const Inner &cfg) {
  const int rows = 64 * cfg.taken;
  auto A = k.input<T>("a", {rows, cfg.depth});
  auto B = k.input<T>("b", {5, cfg.cols + 16, cfg.depth + 64});
  auto Out = k.output<f32>("out", {rows, cfg.cols});
  Index first = to_index(k.scalar<i32>("first")), row = to_index(k.scalar<i32>("row")) * 8;
  Axis all("all", 5), g("g", cfg.taken), m("m", rows);
  Axis wide("wide", cfg.cols + 16), n("n", cfg.cols), deep("deep", cfg.depth + 64),
      d("d", cfg.depth);
  k.grid(1);
  auto as = k.alloc_shared<T>({m, d});
  copy(A(m, d), as);
  auto bs = k.alloc_shared<T>({all, wide, deep});
  copy(B(all, wide, deep), bs);
  auto part = bs.slice(all, first, g).slice(wide, row, n).slice(deep, 64, d);
  store(grouped_gemm(as, part), Out(m, n));
}
TILE_KERNEL(grouped_part, Inner, bf16);
} // namespace

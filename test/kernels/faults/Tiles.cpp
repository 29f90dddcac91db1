//===- Tiles.cpp - tiles of the kinds that broke other compilers ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Path {
  bool shared = false; // through shared memory, or straight to registers
};
TILE_CONFIG(Path, shared);

/// y is x, and -99 where x has no element.
template <class T> void padded_copy(Kernel &k, const Path &cfg) {
  Dim rows("rows"), cols("cols"), y_rows("y_rows"), y_cols("y_cols");
  auto X = k.input<T>("x", {rows, cols});
  auto Y = k.output<T>("y", {y_rows, y_cols});

  Axis r("r", 64), c("c", 64);
  auto [j, i] = k.grid(ceil_div(y_cols, 64), ceil_div(y_rows, 64));
  auto source = X(r.at(i), c.at(j));
  auto target = Y(r.at(i), c.at(j));
  if (!cfg.shared) {
    store(load(source, -99), target);
    return;
  }
  auto tile = k.alloc_shared<T>({r, c});
  copy(source, tile, -99);
  store(load(tile), target);
}
TILE_KERNEL(padded_copy, Path, f32, bf16, i32);

struct Empty {};
TILE_CONFIG(Empty);

/// c = a * b where each thread stores its part of `a` into shared memory, which the tensor cores
/// then read.
template <class T> void stored_operand(Kernel &k, const Empty &) {
  Dim k_len("k");
  auto A = k.input<T>("a", {64, k_len});
  auto B = k.input<T>("b", {k_len, 64});
  auto C = k.output<f32>("c", {64, 64});

  Axis m("m", 64), kk("k", 64), n("n", 64);
  k.grid(1);
  auto as = k.alloc_shared<T>({m, kk});
  auto bs = k.alloc_shared<T>({kk, n});
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.loop(ceil_div(k_len, 64), [&](Index step) {
    store(load(A(m, kk.at(step))), as);
    store(load(B(kk.at(step), n)), bs);
    acc = gemm(as, bs, acc);
  });
  store(acc, C(m, n));
}
TILE_KERNEL(stored_operand, Empty, bf16);

/// s = a * b^T rounded to T, then c = s * v: one fragment in two roles. Without a grid there is one
/// CTA.
template <class T> void chained_gemm(Kernel &k, const Empty &) {
  auto A = k.input<T>("a", {64, 64});
  auto B = k.input<T>("b", {128, 64});
  auto V = k.input<T>("v", {128, 64});
  auto C = k.output<f32>("c", {64, 64});
  auto S = k.output<f32>("s", {64, 128});

  Axis m("m", 64), n("n", 128), d("d", 64), e("e", 64);
  auto as = k.alloc_shared<T>({m, d});
  auto bs = k.alloc_shared<T>({n, d});
  auto vs = k.alloc_shared<T>({n, e});
  copy(A(m, d), as);
  copy(B(n, d), bs);
  copy(V(n, e), vs);
  auto s = gemm(as, bs);
  store(s, S(m, n));
  store(gemm(cast<T>(s), vs), C(m, e));
}
TILE_KERNEL(chained_gemm, Empty, bf16);

/// Rows' and columns' maxima of one tile.
template <class T> void both_maxima(Kernel &k, const Empty &) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows, cols});
  auto R = k.output<T>("row_max", {64});
  auto C = k.output<T>("col_max", {96});

  Axis r("r", 64), c("c", 96);
  k.grid(1);
  auto tile = load(X(r, c), -inf);
  store(reduce_max(tile, c), R(r));
  store(reduce_max(tile, r), C(c));
}
TILE_KERNEL(both_maxima, Empty, f32);

/// absmax[i], of 576 columns in a tile of 768: what pads the tile must not count.
template <class T> void row_absmax(Kernel &k, const Empty &) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 576});
  auto O = k.output<T>("o", {rows});

  Axis r("r", 4), c("c", 768);
  auto [i] = k.grid(ceil_div(rows, 4));
  store(reduce_absmax(load(X(r.at(i), c)), c), O(r.at(i)));
}
TILE_KERNEL(row_absmax, Empty, f32);

/// One branch after the other on the same text; the first changes the condition.
template <class T> void conditions(Kernel &k, const Empty &) {
  auto F = k.inout<T>("f", {1});
  auto O = k.output<T>("o", {2});
  k.grid(1);
  store(0, O.at({0}));
  store(0, O.at({1}));
  k.when(F(0) != 0, [&] {
    store(0, F.at({0}));
    store(1, O.at({0}));
  });
  k.when(F(0) != 0, [&] { store(1, O.at({1})); });
}
TILE_KERNEL(conditions, Empty, i32);

/// out[i, i] = i: stores outside the tensor are dropped.
template <class T> void diagonal(Kernel &k, const Empty &) {
  Dim rows("rows"), cols("cols");
  auto O = k.output<T>("o", {rows, cols});
  auto [i] = k.grid(max(rows, cols) + 3);
  store(i, O.at({i, i}));
}
TILE_KERNEL(diagonal, Empty, i32);
} // namespace

//===- Loops.cpp - loops of the kinds that broke other compilers ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Small kernels for FaultTest.cpp. Sums of integers in f32, so that every order gives the same
// bits.

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Stages {
  int stages = 2;
};
TILE_CONFIG(Stages, stages);

/// o = sum of the rows of x that `ids` names; an id that names no row adds nothing.
template <class T> void gather_sum(Kernel &k, const Stages &cfg) {
  Dim count("count"), rows("rows");
  auto X = k.input<T>("x", {rows, 64});
  auto Ids = k.input<i32>("ids", {count});
  auto O = k.output<f32>("o", {64});

  Axis r("r", 8), c("c", 64);
  k.grid(1);
  auto sum = k.fragment<f32>({c}, 0.0);
  k.pipelined(count, {.stages = cfg.stages}, [&](Index i) {
    Index id = Ids(i);
    auto tile = k.alloc_shared<T>({r, c});
    copy(X(r.from(id).limit(id + 1), c), tile);
    sum += reduce_sum(cast<f32>(load(tile)), r);
  });
  store(sum, O(c));
}
TILE_KERNEL(gather_sum, Stages, f32, bf16);

struct Guarded {
  int stages = 2;
  bool copy_inside = false; // the branch holds the copies too
};
TILE_CONFIG(Guarded, stages, copy_inside);

/// c = a * b over the steps of 64 along k whose mask is not 0.
template <class T> void guarded_gemm(Kernel &k, const Guarded &cfg) {
  Dim m_len("m"), n_len("n"), k_len("k");
  n_len.multiple_of(8); // as roles with bulk copies want it
  k_len.multiple_of(8);
  auto A = k.input<T>("a", {m_len, k_len});
  auto B = k.input<T>("b", {k_len, n_len});
  auto Mask = k.input<i32>("mask", {ceil_div(k_len, 64)});
  auto C = k.output<f32>("c", {m_len, n_len});

  Axis m("m", 64), n("n", 64), kk("k", 64);
  auto [j, i] = k.grid(ceil_div(n_len, 64), ceil_div(m_len, 64));
  auto rows = m.at(i), cols = n.at(j);
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.pipelined(ceil_div(k_len, 64), {.stages = cfg.stages}, [&](Index step) {
    auto as = k.alloc_shared<T>({m, kk});
    auto bs = k.alloc_shared<T>({kk, n});
    auto fetch = [&] {
      copy(A(rows, kk.at(step)), as);
      copy(B(kk.at(step), cols), bs);
    };
    if (!cfg.copy_inside)
      fetch();
    k.when(Mask(step) != 0, [&] {
      if (cfg.copy_inside)
        fetch();
      acc = gemm(as, bs, acc);
    });
  });
  store(acc, C(rows, cols));
}
TILE_KERNEL(guarded_gemm, Guarded, bf16);

/// o[i] = sum of the rows 0 to i of x: each CTA has its own number of iterations.
template <class T> void prefix_sum(Kernel &k, const Stages &cfg) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 64});
  auto O = k.output<T>("o", {rows, 64});

  Axis c("c", 64);
  auto [row] = k.grid(rows);
  auto sum = k.fragment<T>({c}, 0.0);
  k.pipelined(row + 1, {.stages = cfg.stages}, [&](Index i) {
    auto tile = k.alloc_shared<T>({c});
    copy(X(i, c), tile);
    sum += load(tile);
  });
  store(sum, O(row, c));
}
TILE_KERNEL(prefix_sum, Stages, f32);

struct TwoStages {
  int first = 2, second = 4;
};
TILE_CONFIG(TwoStages, first, second);

/// c = a * b, the first half of k in one pipelined loop and the rest in another.
template <class T> void two_loop_gemm(Kernel &k, const TwoStages &cfg) {
  Dim m_len("m"), n_len("n"), k_len("k");
  n_len.multiple_of(8); // as roles with bulk copies want it
  k_len.multiple_of(8);
  auto A = k.input<T>("a", {m_len, k_len});
  auto B = k.input<T>("b", {k_len, n_len});
  auto C = k.output<f32>("c", {m_len, n_len});

  Axis m("m", 64), n("n", 64), kk("k", 32);
  auto [j, i] = k.grid(ceil_div(n_len, 64), ceil_div(m_len, 64));
  auto rows = m.at(i), cols = n.at(j);
  auto acc = k.fragment<f32>({m, n}, 0.0);
  Index steps = k.index(ceil_div(k_len, 32)), half = steps / 2;
  auto step = [&](Index s) {
    auto as = k.alloc_shared<T>({m, kk});
    auto bs = k.alloc_shared<T>({kk, n});
    copy(A(rows, kk.at(s)), as);
    copy(B(kk.at(s), cols), bs);
    acc = gemm(as, bs, acc);
  };
  k.pipelined(half, {.stages = cfg.first}, step);
  k.pipelined(steps - half, {.stages = cfg.second}, [&](Index s) { step(s + half); });
  store(acc, C(rows, cols));
}
TILE_KERNEL(two_loop_gemm, TwoStages, bf16);

/// o = sum of the rows of x. The tile of the next row replaces this one's at the end of each
/// iteration, after the tile has been read.
template <class T> void overwritten_tile(Kernel &k, const Stages &cfg) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 32});
  auto O = k.output<T>("o", {32});

  Axis c("c", 32);
  k.grid(1);
  auto tile = k.alloc_shared<T>({c});
  copy(X(0, c), tile);
  auto sum = k.fragment<T>({c}, 0.0);
  k.pipelined(rows, {.stages = cfg.stages}, [&](Index i) {
    sum += load(tile);
    copy(X(i + 1, c), tile);
  });
  store(sum, O(c));
}
TILE_KERNEL(overwritten_tile, Stages, i32);

/// o = sum of the rows of x and twice those of y, which pass through the same tile in turn.
template <class T> void reused_tile(Kernel &k, const Stages &cfg) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, 64});
  auto Y = k.input<T>("y", {rows, 64});
  auto O = k.output<f32>("o", {64});

  Axis c("c", 64);
  k.grid(1);
  auto sum = k.fragment<f32>({c}, 0.0);
  k.pipelined(rows, {.stages = cfg.stages}, [&](Index i) {
    auto tile = k.alloc_shared<T>({c});
    copy(X(i, c), tile);
    sum += cast<f32>(load(tile));
    copy(Y(i, c), tile);
    sum += cast<f32>(load(tile)) * 2.0;
  });
  store(sum, O(c));
}
TILE_KERNEL(reused_tile, Stages, f16);

/// o = n counted one by one, and by loops that end before they begin.
template <class T> void count_iterations(Kernel &k, const Stages &cfg) {
  auto N = k.input<T>("n", {1});
  auto O = k.output<T>("o", {3});
  k.grid(1);
  Index plain = k.index(0), pipelined = k.index(0), never = k.index(0);
  k.loop(N(0), [&](Index) { plain += 1; });
  k.pipelined(N(0), {.stages = cfg.stages}, [&](Index) { pipelined += 1; });
  k.loop(0, [&](Index) { never += 1; });
  store(plain, O.at({0}));
  store(pipelined, O.at({1}));
  store(never, O.at({2}));
}
TILE_KERNEL(count_iterations, Stages, i32);
} // namespace

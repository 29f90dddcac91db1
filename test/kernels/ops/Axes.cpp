//===- Axes.cpp - product axes, parts of shared tiles ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Factors {
  int outer = 4, inner = 8;
};
TILE_CONFIG(Factors, outer, inner);

/// y[r, j * outer + i] = x[r, i * inner + j].
template <class T> void exchange_factors(Kernel &k, const Factors &cfg) {
  Dim rows("rows");
  int length = cfg.outer * cfg.inner;
  auto X = k.input<T>("x", {rows, length});
  auto Y = k.output<T>("y", {rows, length});
  Axis r("r", 16), i("i", cfg.outer), j("j", cfg.inner);
  Axis ij = i * j, ji = j * i;
  auto [block] = k.grid(ceil_div(rows, 16));
  store(join(split(load(X(r.at(block), ij)), ij), ji), Y(r.at(block), ji));
}
TILE_KERNEL(exchange_factors, Factors, f32, bf16, i32, i8);

/// y[r, i] = x[r, last - i], and z[r] the element at position 0.
template <class T> void reverse_axis(Kernel &k, const Factors &cfg) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, cfg.inner});
  auto Y = k.output<T>("y", {rows, cfg.inner});
  auto Z = k.output<T>("z", {rows});
  Axis r("r", 16), i("i", cfg.inner);
  auto [block] = k.grid(ceil_div(rows, 16));
  auto x = load(X(r.at(block), i));
  auto at = [&](int position) { return take(x, i, cfg.inner - 1 - position); };
  auto y = cfg.inner == 1   ? stack({at(0)}, i)
           : cfg.inner == 3 ? stack({at(0), at(1), at(2)}, i)
                            : stack({at(0), at(1), at(2), at(3)}, i);
  store(y, Y(r.at(block), i));
  store(take(x, i, 0), Z(r.at(block)));
}
TILE_KERNEL(reverse_axis, Factors, f32, i8);

struct Packed {
  int queries = 8, heads = 16, dim = 64, keys = 64;
};
TILE_CONFIG(Packed, queries, heads, dim, keys);

/// out[q, n] = sum over h of max(0, Q[q, h] . K[n]) * W[q, h]: queries and heads are the rows of
/// one product.
template <class T> void packed_scores(Kernel &k, const Packed &cfg) {
  Dim q_len("q_len"), k_len("k_len");
  auto Q = k.input<T>("q", {q_len, cfg.heads, cfg.dim});
  auto K = k.input<T>("k", {k_len, cfg.dim});
  auto W = k.input<f32>("w", {q_len, cfg.heads});
  auto Out = k.output<f32>("out", {q_len, k_len});
  Axis q("q", cfg.queries), h("h", cfg.heads), n("n", cfg.keys), d("d", cfg.dim);
  Axis qh = q * h;
  auto [i] = k.grid(ceil_div(q_len, cfg.queries));
  auto qs = k.alloc_shared<T>({qh, d});
  copy(Q(q.at(i), h, d), qs);
  auto w = load(W(q.at(i), h));
  k.loop(ceil_div(k_len, cfg.keys), [&](Index j) {
    auto ks = k.alloc_shared<T>({n, d});
    copy(K(n.at(j), d), ks);
    auto s = split(gemm(qs, ks), qh);
    store(reduce_sum(max(s, 0.0) * w, h), Out(q.at(i), n.at(j)));
  });
}
TILE_KERNEL(packed_scores, Packed, bf16);

struct Parts {
  int rows = 128, part = 32, depth = 64, step = 16, pages = 4;
};
TILE_CONFIG(Parts, rows, part, depth, step, pages);

/// c = a * b^T, the shared tile of `b` filled in pages, and read in parts of its rows.
template <class T> void paged_gemm(Kernel &k, const Parts &cfg) {
  auto A = k.input<T>("a", {cfg.rows, cfg.depth});
  auto B = k.input<T>("b", {cfg.pages, cfg.rows / cfg.pages, cfg.depth});
  auto order = k.input<i32>("order", {cfg.pages});
  auto C = k.output<f32>("c", {cfg.rows, cfg.rows});
  Axis m("m", cfg.rows), n("n", cfg.rows), d("d", cfg.depth);
  Axis page("page", cfg.rows / cfg.pages), part("part", cfg.part);
  auto as = k.alloc_shared<T>({m, d}), bs = k.alloc_shared<T>({n, d});
  copy(A(m, d), as);
  k.loop(cfg.pages,
         [&](Index j) { copy(B(order(j), page, d), bs.slice(n, j * page.extent(), page)); });
  k.loop(cfg.rows / cfg.part,
         [&](Index j) { store(gemm(as, bs.slice(n, j * cfg.part, part)), C(m, part.at(j))); });
}
TILE_KERNEL(paged_gemm, Parts, bf16);

/// c = a * b, the contracted axis in parts of both tiles; of `b` [k, n], also its columns.
template <class T> void stepped_gemm(Kernel &k, const Parts &cfg) {
  auto A = k.input<T>("a", {cfg.rows, cfg.depth});
  auto B = k.input<T>("b", {cfg.depth, cfg.rows});
  auto C = k.output<f32>("c", {cfg.rows, cfg.rows});
  Axis m("m", cfg.rows), n("n", cfg.rows), d("d", cfg.depth);
  Axis step("step", cfg.step), part("part", cfg.part);
  auto as = k.alloc_shared<T>({m, d}), bs = k.alloc_shared<T>({d, n});
  copy(A(m, d), as);
  copy(B(d, n), bs);
  k.loop(cfg.rows / cfg.part, [&](Index j) {
    auto acc = k.fragment<f32>({m, part}, 0.0);
    auto columns = bs.slice(n, j * cfg.part, part);
    k.loop(cfg.depth / cfg.step, [&](Index i) {
      acc = gemm(as.slice(d, i * cfg.step, step), columns.slice(d, i * cfg.step, step), acc);
    });
    store(acc, C(m, part.at(j)));
  });
}
TILE_KERNEL(stepped_gemm, Parts, bf16);

/// y[i] = x[i] but for `part` rows from `row` and `step` columns from `column` on, which are twice
/// as much: parts of a shared tile loaded, stored and copied wherever they start.
template <class T> void double_part(Kernel &k, const Parts &cfg) {
  auto X = k.input<T>("x", {cfg.rows, cfg.depth});
  auto Y = k.output<T>("y", {cfg.rows, cfg.depth});
  auto Z = k.output<T>("z", {cfg.part, cfg.step});
  auto row = k.scalar<i32>("row"), column = k.scalar<i32>("column");
  Axis n("n", cfg.rows), part("part", cfg.part), d("d", cfg.depth), step("step", cfg.step);
  auto s = k.alloc_shared<T>({n, d});
  copy(X(n, d), s);
  auto inner = s.slice(n, to_index(row), part).slice(d, to_index(column), step);
  store(cast<T>(cast<f32>(load(inner)) * 2.0), inner);
  copy(inner, Z(part, step));
  copy(s, Y(n, d));
}
TILE_KERNEL(double_part, Parts, f32, bf16);

struct Groups {
  int rows = 16, groups = 14, size = 32;
};
TILE_CONFIG(Groups, rows, groups, size);

/// top[r, j] is the largest of x in the j-th group of `size` columns, y = x - top + f in the
/// group's columns.
template <class T> void center_groups(Kernel &k, const Groups &cfg) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, cfg.groups * cfg.size});
  auto F = k.input<T>("f", {rows, cfg.groups});
  auto Y = k.output<T>("y", {rows, cfg.groups * cfg.size});
  auto Top = k.output<T>("top", {rows, cfg.groups});
  Axis r("r", cfg.rows), g("g", cfg.groups), s("s", cfg.size);
  Axis c = g * s;
  auto [block] = k.grid(ceil_div(rows, cfg.rows));
  auto x = split(load(X(r.at(block), c)), c);
  auto top = reduce_max(x, s);
  store(top, Top(r.at(block), g));
  store(join(x - top + load(F(r.at(block), g)), c), Y(r.at(block), c));
}
TILE_KERNEL(center_groups, Groups, f32, i32);
} // namespace

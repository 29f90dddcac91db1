//===- Gather.cpp - rows and elements at index tiles ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Rows {
  bool shared = false; // through shared memory
  bool wide = false;   // i64 indices
  int pad = 99;
  int cols = 0; // 0: known at launch
};
TILE_CONFIG(Rows, shared, wide, pad, cols);

/// The index of each position of the window, as an i32 or an i64 tile.
template <class Use>
void with_index(Kernel &k, bool wide, const Dim &count, const Window &positions, const Use &use) {
  if (wide)
    use(load(k.input<i64>("index", {count})(positions)));
  else
    use(load(k.input<i32>("index", {count})(positions)));
}

/// y[b, i] is row index[i] of x[b] where keep[i] is not 0, and pad elsewhere.
template <class T> void gather_rows(Kernel &k, const Rows &cfg) {
  Dim batches("batches"), y_batches("y_batches"), rows("rows"), count("count");
  Dim cols = cfg.cols ? Dim(cfg.cols) : Dim("cols");
  auto X = k.input<T>("x", {batches, rows, cols});
  auto Keep = k.input<i32>("keep", {count});
  auto Y = k.output<T>("y", {y_batches, count, cols});

  Axis r("r", 32), c("c", 64);
  auto [j, i, b] = k.grid(ceil_div(cols, 64), ceil_div(count, 32), y_batches);
  auto lines = r.at(i), columns = c.at(j);
  auto keep = load(Keep(lines)) != 0;
  with_index(k, cfg.wide, count, lines, [&, j = j, b = b](auto index) {
    auto source = X(b, index, columns).where(keep);
    if (!cfg.shared)
      return store(load(source, cfg.pad), Y(b, lines, columns));
    auto tile = k.alloc_shared<T>({r, c});
    copy(source, tile, cfg.pad);
    store(load(tile), Y(b, lines, columns));
  });
}
TILE_KERNEL(gather_rows, Rows, f32, bf16, i8);

struct Heads {
  bool shared = false;
};
TILE_CONFIG(Heads, shared);

/// y[i, h] = x[index[i], h], all heads of a row at once.
template <class T> void gather_heads(Kernel &k, const Heads &cfg) {
  Dim rows("rows"), heads("heads"), count("count");
  auto X = k.input<T>("x", {rows, heads, 40});
  auto Ids = k.input<i32>("index", {count});
  auto Y = k.output<T>("y", {count, heads, 40});

  Axis r("r", 8), h("h", 3), d("d", 40);
  auto [j, i] = k.grid(ceil_div(heads, 3), ceil_div(count, 8));
  auto source = X(load(Ids(r.at(i))), h.at(j), d);
  if (!cfg.shared)
    return store(load(source), Y(r.at(i), h.at(j), d));
  auto tile = k.alloc_shared<T>({r, h, d});
  copy(source, tile);
  store(load(tile), Y(r.at(i), h.at(j), d));
}
TILE_KERNEL(gather_heads, Heads, bf16);

struct Elements {
  int axis = 0;
};
TILE_CONFIG(Elements, axis);

/// y[i, j] = x[index[i, j], j] or, along axis 1, x[i, index[i, j]]; -7 where there is none or the
/// index is 5.
template <class T> void gather_elements(Kernel &k, const Elements &cfg) {
  Dim rows("rows"), cols("cols"), y_rows("y_rows"), y_cols("y_cols");
  auto X = k.input<T>("x", {rows, cols});
  auto Ids = k.input<i32>("index", {y_rows, y_cols});
  auto Y = k.output<T>("y", {y_rows, y_cols});

  Axis r("r", 16), c("c", 32);
  auto [j, i] = k.grid(ceil_div(y_cols, 32), ceil_div(y_rows, 16));
  auto lines = r.at(i), columns = c.at(j);
  auto index = load(Ids(lines, columns), -1);
  auto source = cfg.axis == 0 ? X(index, columns) : X(lines, index);
  store(load(source.where(index != 5), -7), Y(lines, columns));
}
TILE_KERNEL(gather_elements, Elements, f32, bf16);

/// y[index[i]] = x[i] where keep[i] is not 0; the other rows of y stay.
template <class T> void scatter_rows(Kernel &k, const Rows &cfg) {
  Dim rows("rows"), count("count");
  Dim cols = cfg.cols ? Dim(cfg.cols) : Dim("cols");
  auto X = k.input<T>("x", {count, cols});
  auto Keep = k.input<i32>("keep", {count});
  auto Y = k.inout<T>("y", {rows, cols});

  Axis r("r", 32), c("c", 64);
  auto [j, i] = k.grid(ceil_div(cols, 64), ceil_div(count, 32));
  auto lines = r.at(i), columns = c.at(j);
  auto keep = (load(Keep(lines)) != 0) & lines.limit(k.index(count)).valid();
  auto x = load(X(lines, columns));
  with_index(k, cfg.wide, count, lines,
             [&](auto index) { store(x, Y(index, columns).where(keep)); });
}
TILE_KERNEL(scatter_rows, Rows, f32, bf16, i8);

/// y[index[i, j], j] = x[i, j] or, along axis 1, y[i, index[i, j]].
template <class T> void scatter_elements(Kernel &k, const Elements &cfg) {
  Dim rows("rows"), cols("cols"), x_rows("x_rows"), x_cols("x_cols");
  auto X = k.input<T>("x", {x_rows, x_cols});
  auto Ids = k.input<i32>("index", {x_rows, x_cols});
  auto Y = k.inout<T>("y", {rows, cols});

  Axis r("r", 16), c("c", 32);
  auto [j, i] = k.grid(ceil_div(x_cols, 32), ceil_div(x_rows, 16));
  auto lines = r.at(i), columns = c.at(j);
  auto index = load(Ids(lines, columns), -1);
  auto x = load(X(lines, columns));
  store(x, cfg.axis == 0 ? Y(index, columns) : Y(lines, index));
}
TILE_KERNEL(scatter_elements, Elements, f32, bf16);

struct Empty {};
TILE_CONFIG(Empty);

/// c[index[i]] = (a * b)[i], rounded: from the accumulators of the tensor cores.
template <class T> void scatter_product(Kernel &k, const Empty &) {
  Dim rows("rows");
  auto A = k.input<T>("a", {64, 64});
  auto B = k.input<T>("b", {64, 64});
  auto Ids = k.input<i32>("index", {64});
  auto C = k.inout<T>("c", {rows, 64});

  Axis m("m", 64), kk("k", 64), n("n", 64);
  k.grid(1);
  auto as = k.alloc_shared<T>({m, kk});
  auto bs = k.alloc_shared<T>({kk, n});
  copy(A(m, kk), as);
  copy(B(kk, n), bs);
  store(cast<T>(gemm(as, bs)), C(load(Ids(m)), n));
}
TILE_KERNEL(scatter_product, Empty, bf16);

/// y[i] = table[from[i]] (-7 where there is none), then table[to[i]] = y[i]; z is the table
/// afterwards.
template <class T> void shared_table(Kernel &k, const Empty &) {
  auto X = k.input<T>("x", {24, 40});
  auto From = k.input<i32>("from", {32});
  auto To = k.input<i64>("to", {32});
  auto Y = k.output<T>("y", {32, 40});
  auto Z = k.output<T>("z", {24, 40});

  Axis e("e", 24), r("r", 32), c("c", 40);
  k.grid(1);
  auto table = k.alloc_shared<T>({e, c});
  copy(X(e, c), table);
  auto picked = load(table(load(From(r)), c), -7);
  store(picked, Y(r, c));
  auto to = load(To(r));
  store(picked, table(to, c).where(to != 3));
  store(load(table), Z(e, c));
}
TILE_KERNEL(shared_table, Empty, f32, bf16);

struct Steps {
  bool shared = false;
};
TILE_CONFIG(Steps, shared);

/// `steps` times: line[to[i]] = line[from[i]] for all i at once, in shared or global memory.
template <class T> void permute_line(Kernel &k, const Steps &cfg) {
  auto Line = k.inout<T>("line", {200});
  auto From = k.input<i32>("from", {200});
  auto To = k.input<i32>("to", {200});
  Index steps = to_index(k.scalar<i32>("steps"));

  Axis n("n", 200);
  k.grid(1);
  auto from = load(From(n)), to = load(To(n));
  auto line = k.alloc_shared<T>({n});
  store(load(Line(n)), line);
  k.loop(steps, [&](Index) {
    if (cfg.shared)
      store(load(line(from)), line(to));
    else
      store(load(Line(from)), Line(to));
  });
  if (cfg.shared)
    store(load(line), Line(n));
}
TILE_KERNEL(permute_line, Steps, f32, i64);
} // namespace

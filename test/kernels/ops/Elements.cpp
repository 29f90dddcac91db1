//===- Elements.cpp - arithmetic of f32, reductions, renamed axes ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Empty {};
TILE_CONFIG(Empty);

constexpr int operations = 17;

/// In the order of ElementsTest.cpp.
Fragment<f32> arithmetic(int operation, const Fragment<f32> &x, const Fragment<f32> &y) {
  switch (operation) {
  case 0:
    return x + y;
  case 1:
    return x - y;
  case 2:
    return x * y;
  case 3:
    return x / y;
  case 4:
    return max(x, y);
  case 5:
    return min(x, y);
  case 6:
    return cast<f32>(x == y);
  case 7:
    return cast<f32>(x != y);
  case 8:
    return cast<f32>(x < y);
  case 9:
    return cast<f32>(x <= y);
  case 10:
    return cast<f32>(x > y);
  case 11:
    return cast<f32>(x >= y);
  case 12:
    return where(x < y, x, y * 2.0);
  case 13:
    return where(!(x < y) & (y > 0.0), abs(x), -x) + where(y == y, 0.0, 0.0);
  case 14:
    return cast<f32>((x < y) ^ (x < 1.0)) + cast<f32>((x < y) | (y < 1.0)) * 2.0;
  case 15:
    return cast<f32>(bitcast<i32>(x) == bitcast<i32>(y));
  default:
    return follow(x, y, 2.5);
  }
}

/// o[operation, i, j] = operation(x[i], y[j]).
template <class T> void float_pairs(Kernel &k, const Empty &) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows});
  auto Y = k.input<T>("y", {cols});
  auto O = k.output<T>("o", {operations, rows, cols});
  Axis r("r", 16), c("c", 32);
  auto [j, i] = k.grid(ceil_div(cols, 32), ceil_div(rows, 16));
  auto x = load(X(r.at(i))), y = load(Y(c.at(j)));
  for (int operation = 0; operation < operations; ++operation)
    store(arithmetic(operation, x, y), O(operation, r.at(i), c.at(j)));
}
TILE_KERNEL(float_pairs, Empty, f32);

struct Reduced {
  int axis = 0, rows = 20, cols = 100, warps = 4;
};
TILE_CONFIG(Reduced, axis, rows, cols, warps);

/// Largest, smallest, largest magnitude, sum without what is not a number, whether any element and
/// whether all are above 0.
template <class T> void reduce_tile(Kernel &k, const Reduced &cfg) {
  const int left = cfg.axis == 0 ? cfg.cols : cfg.rows;
  auto X = k.input<T>("x", {cfg.rows, cfg.cols});
  auto O = k.output<T>("o", {6, left});
  Axis r("r", cfg.rows), c("c", cfg.cols);
  const Axis &axis = cfg.axis == 0 ? r : c, &other = cfg.axis == 0 ? c : r;
  k.grid(1);
  auto x = load(X(r, c)), zero = k.fragment<T>({}, 0);
  store(reduce_max(x, axis), O(0, other));
  store(reduce_min(x, axis), O(1, other));
  store(reduce_absmax(x, axis), O(2, other));
  store(reduce_sum(where(x == x, x, zero), axis), O(3, other));
  store(cast<T>(reduce_any(x > zero, axis)), O(4, other));
  store(cast<T>(reduce_all(x > zero, axis)), O(5, other));
}
TILE_KERNEL(reduce_tile, Reduced, f32, i32);

/// y[i, j] = x[i, j] - x[j, i], d[i, j] = x[i, 0] - x[j, 0], u = x[0, 0] as an unsigned number.
template <class T> void transposed_difference(Kernel &k, const Empty &) {
  auto X = k.input<T>("x", {24, 24});
  auto Y = k.output<T>("y", {24, 24});
  auto D = k.output<T>("d", {24, 24});
  auto U = k.output<i64>("u", {1});
  Axis m("m", 24), n("n", 24), p("p", 24);
  k.grid(1);
  auto x = load(X(m, n));
  auto transposed = rename(rename(rename(x, m, p), n, m), p, n);
  store(x - transposed, Y(m, n));
  auto column = take(x, n, 0);
  store(column - rename(column, n), D(m, n));
  store(unsigned_index(take(take(x, n, 0), m, 0)), U.at({0}));
}
TILE_KERNEL(transposed_difference, Empty, i32, i8);
} // namespace

//===- Far.cpp - tensors of more than 2^31 elements -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int length = 64; // of a window
};
TILE_CONFIG(Config, length);

/// Every way to reach a tensor, at positions of any 64-bit size. y[0] and y[1] are the window of x
/// from start[0], the second through shared memory; y[2] the elements at `index`; y[3, 0] the
/// element at start[0]. z gets the window at start[0], start[1] and `index`, and the element behind
/// the second.
template <class T> void far_line(Kernel &k, const Config &cfg) {
  Dim len("len");
  auto X = k.input<T>("x", {len});
  auto Start = k.input<i64>("start", {2});
  auto Ids = k.input<i64>("index", {cfg.length});
  auto Y = k.output<T>("y", {4, cfg.length});
  auto Z = k.inout<T>("z", {len});

  Axis n("n", cfg.length);
  k.grid(1);
  auto here = n.from(Start(0)), there = n.from(Start(1));
  auto index = load(Ids(n));
  auto window = load(X(here));
  store(window, Y(0, n));
  auto tile = k.alloc_shared<T>({n});
  copy(X(here), tile);
  store(load(tile), Y(1, n));
  store(load(X(index)), Y(2, n));
  auto first = X(Start(0));
  store(window, Z(here));
  copy(tile, Z(there));
  store(window, Z(index));
  store(first, Y.at({3, 0}));
  store(first, Z.at({Start(1) + cfg.length}));
}
TILE_KERNEL(far_line, Config, f32, bf16);

/// y[i] = x[rows[i]] and z[rows[i]] = x[i], through registers and through shared memory.
template <class T> void far_rows(Kernel &k, const Config &cfg) {
  Dim rows("rows"), count("count");
  auto X = k.input<T>("x", {rows, cfg.length});
  auto Rows = k.input<i32>("rows", {count});
  auto Y = k.output<T>("y", {2, count, cfg.length});
  auto Z = k.inout<T>("z", {rows, cfg.length});

  Axis r("r", 16), c("c", cfg.length);
  auto [i] = k.grid(ceil_div(count, 16));
  auto lines = r.at(i);
  auto index = load(Rows(lines), -1);
  store(load(X(index, c)), Y(0, lines, c));
  auto tile = k.alloc_shared<T>({r, c});
  copy(X(index, c), tile);
  auto picked = load(tile);
  store(picked, Y(1, lines, c));
  store(picked, Z(index, c));
}
TILE_KERNEL(far_rows, Config, f32, bf16);
} // namespace

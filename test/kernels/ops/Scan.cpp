//===- Scan.cpp - prefixes and positions of maxima ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int axis = 1, max = 0, exclusive = 0, reverse = 0;
  int rows = 20, cols = 100; // of a tile
  int warps = 4;
};
TILE_CONFIG(Config, axis, max, exclusive, reverse, rows, cols, warps);

/// Scans one axis of each tile of `rows` x `cols`, and sums or takes the maximum of that axis.
template <class T> void scan_tile(Kernel &k, const Config &cfg) {
  Dim tiles("tiles");
  auto X = k.input<T>("x", {tiles, cfg.rows, cfg.cols});
  auto Y = k.output<T>("y", {tiles, cfg.rows, cfg.cols});
  auto Total = k.output<T>("total", {tiles, cfg.axis ? cfg.rows : cfg.cols});

  Axis r("r", cfg.rows), c("c", cfg.cols);
  auto [i] = k.grid(tiles);
  auto x = load(X(i, r, c));
  const Axis &along = cfg.axis ? c : r, &other = cfg.axis ? r : c;
  Scan options{.exclusive = cfg.exclusive != 0, .reverse = cfg.reverse != 0};
  store(cfg.max ? scan_max(x, along, options) : scan_sum(x, along, options), Y(i, r, c));
  store(cfg.max ? reduce_max(x, along) : reduce_sum(x, along), Total(i, other));
}
TILE_KERNEL(scan_tile, Config, i32, f32, i64);

struct LineConfig {
  int length = 1000, warps = 4;
};
TILE_CONFIG(LineConfig, length, warps);

/// The numbers of the elements above 0, packed to the front; how many there are.
template <class T> void pack_positions(Kernel &k, const LineConfig &cfg) {
  Dim rows("rows");
  auto X = k.input<T>("x", {rows, cfg.length});
  auto Y = k.inout<i32>("y", {rows, cfg.length});
  auto Count = k.output<i32>("count", {rows});

  Axis n("n", cfg.length);
  auto [row] = k.grid(rows);
  auto chosen = load(X(row, n)) > T(0);
  auto flags = cast<i32>(chosen);
  auto place = scan_sum(flags, n, {.exclusive = true});
  store(k.iota(n), Y(row, place).where(chosen));
  store(reduce_sum(flags, n), Count.at({row}));
}
TILE_KERNEL(pack_positions, LineConfig, i32, f32);

struct ArgMaxConfig {
  int axis = 1, rows = 20, cols = 100, warps = 4;
};
TILE_CONFIG(ArgMaxConfig, axis, rows, cols, warps);

template <class T> void argmax_tile(Kernel &k, const ArgMaxConfig &cfg) {
  Dim tiles("tiles");
  auto X = k.input<T>("x", {tiles, cfg.rows, cfg.cols});
  auto Y = k.output<i32>("y", {tiles, cfg.axis ? cfg.rows : cfg.cols});

  Axis r("r", cfg.rows), c("c", cfg.cols);
  auto [i] = k.grid(tiles);
  auto x = load(X(i, r, c));
  store(argmax(x, cfg.axis ? c : r), Y(i, cfg.axis ? r : c));
}
TILE_KERNEL(argmax_tile, ArgMaxConfig, f32, i32);
} // namespace

//===- JaggedCopy.cpp - rows of segments of unequal length to other places -===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block_rows = 128, part_rows = 16, block_cols = 128, ctas_per_sm = 8, warps = 4;
  bool aligned = true; // rows are multiples of 16 bytes
};
TILE_CONFIG(Config, block_rows, part_rows, block_cols, ctas_per_sm, warps, aligned);

/// y[target[s] + r] = x[source[s] + r] for every segment s and each row r of it. `source` ascends;
/// segment s ends where the next one starts, the last at source[segments]. Segments may be empty. A
/// target outside y drops the row; what no row goes to stays as it is.
///
/// The CTAs share blocks of rows of x, whose number only the device knows. All rows of a block look
/// their segments up at once, by binary search, and then move part by part.
template <class T> void jagged_copy(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols"), segments("segments"), target_rows("target_rows");
  if (cfg.aligned)
    cols.multiple_of(std::same_as<T, bf16> ? 8 : 4);
  auto X = k.input<T>("x", {rows, cols});
  auto Source = k.input<i32>("source", {segments + 1});
  auto Target = k.input<i32>("target", {segments});
  auto Y = k.inout<T>("y", {target_rows, cols});

  Axis r("r", cfg.block_rows), part("part", cfg.part_rows), c("c", cfg.block_cols);
  Index begin = Source(0), end = min(Source(segments), rows);
  // The largest power of two below the number of segments, with which the search starts.
  Index widest = k.index(1) << (63 - leading_zeros(max(k.index(segments) - 1, 1)));
  auto block = [&](Index number) {
    auto row = r.at(number).position();
    auto segment = k.fragment<i32>({r}, 0);
    Index step = widest;
    k.loop_while([&] { return step > 0; },
                 [&] {
                   auto next = segment + step;
                   auto start = load(Source(next));
                   segment = where((next < segments) & (start <= row), next, segment);
                   step = step >> 1;
                 });
    auto target = load(Target(segment)) + row - load(Source(segment));
    auto targets = k.alloc_shared<i32>({r});
    store(where((row >= begin) & (row < end), target, -1), targets);
    k.loop(cfg.block_rows / cfg.part_rows, [&](Index j) {
      auto from = part.from(number * cfg.block_rows + j * cfg.part_rows);
      auto to = load(targets(k.iota(part) + j * cfg.part_rows));
      k.loop(ceil_div(cols, cfg.block_cols),
             [&](Index i) { store(load(X(from, c.at(i))), Y(to, c.at(i))); });
    });
  };
  k.tiles(ceil_div(rows, cfg.block_rows), ceil_div(max(end, 0), cfg.block_rows), block,
          {.ctas_per_sm = cfg.ctas_per_sm});
}
TILE_KERNEL(jagged_copy, Config, f32, bf16, i32);
} // namespace

//===- PagedCopy.cpp - rows that lie in pages, put one after the other ------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int page = 16, dim = 128; // rows of a page, elements of a row
  int block = 128;          // rows of a block, a multiple of `page`
};
TILE_CONFIG(Config, page, dim, block);

/// y[b, i] is row i % page of page table[b, i / page], for i below lengths[b]; other rows of y stay
/// as they are. A block of rows is filled by one copy for each page.
template <class T> void paged_copy(Kernel &k, const Config &cfg) {
  Dim batch("batch"), rows("rows"), pages("pages"), entries("entries");
  auto Pages = k.input<T>("pool", {pages, cfg.page, cfg.dim});
  auto table = k.input<i32>("table", {batch, entries});
  auto lengths = k.input<i32>("lengths", {batch});
  auto Y = k.output<T>("y", {batch, rows, cfg.dim});

  Axis n("n", cfg.block), page("page", cfg.page), d("d", cfg.dim);
  auto [i, b] = k.grid(ceil_div(rows, cfg.block), batch);
  Index length = min(lengths(b), k.index(rows)), first = i * cfg.block;
  k.when(first < length, [&] {
    auto block = k.alloc_shared<T>({n, d});
    k.loop(cfg.block / cfg.page, [&](Index j) {
      // Rows at and past the length are not there, nor is their page.
      auto left = length - first - j * cfg.page;
      copy(Pages(table(b, i * (cfg.block / cfg.page) + j), page.from(0).limit(left), d),
           block.slice(n, j * cfg.page, page));
    });
    copy(block, Y(b, n.at(i).limit(length), d));
  });
}

TILE_KERNEL(paged_copy, Config, bf16, f32);
} // namespace

//===- SplitSoftmax.cpp - softmax over parts that are merged ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct MergeConfig {
  int block_rows = 16, head_dim = 128;
  int together = 4; // parts that are read at once
  int warps = 4, ctas_per_sm = 0;
};
TILE_CONFIG(MergeConfig, block_rows, head_dim, together, warps, ctas_per_sm);

/// Merges the outputs of an attention whose keys were split: each part has its normalised output
/// and the logarithm of the sum of its weights (natural; -inf for a part without keys). A row
/// without any key gets 0 and -inf.
template <class T> void merge_splits(Kernel &k, const MergeConfig &cfg) {
  Dim splits("splits"), rows("rows");
  auto Part = k.input<T>("part", {splits, rows, cfg.head_dim});
  auto PartLse = k.input<f32>("part_lse", {splits, rows});
  auto Out = k.output<T>("out", {rows, cfg.head_dim});
  auto Lse = k.output<f32>("lse", {rows});

  Axis r("r", cfg.block_rows), d("d", cfg.head_dim);
  auto [i] = k.grid(ceil_div(rows, cfg.block_rows));
  auto here = r.at(i);
  auto sum = k.fragment<f32>({r, d}, 0.0);
  auto largest = k.fragment<f32>({r}, -inf);
  auto weight = k.fragment<f32>({r}, 0.0);
  k.loop(ceil_div(splits, cfg.together), [&](Index step) {
    std::vector<Fragment<f32>> lse;
    std::vector<Fragment<T>> part;
    auto next = largest;
    for (int j = 0; j < cfg.together; ++j) {
      Index s = step * cfg.together + j; // one that is not there has no weight
      lse.push_back(load(PartLse(s, here), -inf) * log2e);
      part.push_back(load(Part(s, here, d)));
      next = max(next, lse[j]);
    }
    auto shift = where(next == -inf, 0.0, next); // nothing yet: stays finite
    auto decay = exp2(largest - shift);
    sum *= decay;
    weight *= decay;
    for (int j = 0; j < cfg.together; ++j) {
      auto share = exp2(lse[j] - shift);
      sum += where(share > 0.0, cast<f32>(part[j]), 0.0) * share;
      weight += share;
    }
    largest = next;
  });
  auto empty = weight == 0.0;
  store(cast<T>(where(empty, 0.0, sum / weight)), Out(here, d));
  store(where(empty, -inf, (largest + log2(weight)) * ln2), Lse(here));
}

TILE_KERNEL(merge_splits, MergeConfig, f32, bf16);

struct SumConfig {
  int block = 1024;
};
TILE_CONFIG(SumConfig, block);

/// log(sum(exp(x))) of each row, one launch: `splits` CTAs share a row, and the last of them to
/// finish merges what all have found. `ticket` is 0 before and after.
template <class T> void split_logsumexp(Kernel &k, const SumConfig &cfg) {
  Dim rows("rows"), cols("cols"), splits("splits");
  auto X = k.input<T>("x", {rows, cols});
  auto Y = k.output<f32>("y", {rows});
  auto Part = k.workspace<f32>("workspace", {rows, splits}); // logarithms of base 2
  auto Ticket = k.inout<i32>("ticket", {rows});

  Axis n("n", cfg.block), s("s", 128);
  auto [split, row] = k.grid(splits, rows);
  auto merged = [&](const Fragment<f32> &a, const Axis &axis) { // of base-2 logarithms
    auto largest = reduce_max(a, axis);
    auto shift = where(largest == -inf, 0.0, largest);
    return shift + log2(reduce_sum(exp2(a - shift), axis));
  };

  Dim length = ceil_div(ceil_div(cols, splits), cfg.block) * cfg.block;
  auto found = k.fragment<f32>({n}, -inf);
  k.loop(length / cfg.block, [&](Index i) {
    auto x = cast<f32>(load(X(row, n.from(split * length + i * cfg.block)), -inf)) * log2e;
    auto larger = max(found, x), smaller = min(found, x);
    found = where(larger == -inf, -inf, larger + log2(1.0 + exp2(smaller - larger)));
  });
  store(merged(found, n), Part.at({row, split}));

  Fragment<i32> finished;
  atomic_fetch_add(finished, Ticket.at({row}), 1, {.order = MemoryOrder::acq_rel});
  k.when(finished == splits - 1, [&] {
    auto all = k.fragment<f32>({s}, -inf);
    k.loop(ceil_div(splits, 128), [&](Index i) {
      auto part = load(Part(row, s.at(i)), -inf);
      auto larger = max(all, part), smaller = min(all, part);
      all = where(larger == -inf, -inf, larger + log2(1.0 + exp2(smaller - larger)));
    });
    store(merged(all, s) * ln2, Y.at({row}));
    store(0, Ticket.at({row}));
  });
}

TILE_KERNEL(split_logsumexp, SumConfig, f32);
} // namespace

//===- GroupForward.cpp - attention over a list for a group of heads -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The query heads of a group, which share a key head, share its list of key blocks too. A tile is
// one block of queries of two heads, and two entries are taken at a time.

#include "../common/OnlineSoftmax.h"
#include "GridOrder.h"

using namespace tile;

namespace {
/// block_m x block_n is the block size of the lists.
struct Config {
  int head_dim = 128, block_m = 64, block_n = 64, stages = 2;
  bool causal = true;
};
TILE_CONFIG(Config, head_dim, block_m, block_n, stages, causal);

template <class T> void group_forward(Kernel &k, const Config &cfg) {
  Dim batch("batch"), heads("heads"), kv_heads("kv_heads");
  Dim q_len("q_len"), kv_len("kv_len"), max_blocks("max_blocks");
  Dim q_blocks = ceil_div(q_len, cfg.block_m);

  auto Q = k.input<T>("q", {batch, heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {batch, kv_heads, kv_len, cfg.head_dim});
  auto V = k.input<T>("v", {batch, kv_heads, kv_len, cfg.head_dim});
  auto Count = k.input<i32>("block_count", {batch, kv_heads, q_blocks});
  auto Block = k.input<i32>("block_index", {batch, kv_heads, q_blocks, max_blocks});
  auto O = k.output<T>("o", {batch, heads, q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {batch, heads, q_len});
  auto scale = k.scalar<f32>("scale").positive(); // checked at launch

  Axis t("t", 2), q("q", cfg.block_m), m = t * q;
  Axis d("d", cfg.head_dim), v("v", cfg.head_dim);
  Axis r("r", cfg.block_n), n("n", 2 * cfg.block_n);
  auto [qb, pair, b] = kernels::attention_grid(k, q_blocks, heads / 2, batch, cfg.causal);
  Index kvh = k.group(pair, heads / 2, kv_heads); // a pair lies within a group
  auto two = t.at(pair);
  auto rows = q.at(qb).limit(q_len);

  auto qs = k.alloc_shared<T>({m, d});
  copy(Q(b, two, rows, d), qs);
  auto acc = k.fragment<f32>({m, v}, 0.0);
  kernels::OnlineSoftmax softmax(k, m, 1.0); // of scores in base 2

  auto count = clamp(Count(b, kvh, qb), 0, max_blocks);
  auto listed = [&](const Index &i) {
    Index there = clamp(count - i, 0, 1); // behind the last entry block -1, which has no valid key
    return r.at(Block(b, kvh, qb, i) * there + (there - 1)).limit(kv_len);
  };
  k.pipelined(ceil_div(count, 2), {.stages = cfg.stages}, [&](Index i) {
    auto keys = n.of({listed(i * 2), listed(i * 2 + 1)});
    auto ks = k.alloc_shared<T>({n, d});
    auto vs = k.alloc_shared<T>({n, v});
    copy(K(b, kvh, keys, d), ks);
    copy(V(b, kvh, keys, v), vs);
    auto visible = keys.valid();
    if (cfg.causal) { // the sequences are aligned at their ends
      auto row = k.iota(m);
      auto query = where(row < cfg.block_m, row, row - cfg.block_m);
      visible = visible & (query + (qb * cfg.block_m + (kv_len - q_len)) >= keys.position());
    }
    auto s = where(visible, gemm(qs, ks) * (scale * log2e), -inf);
    auto [weights, decay] = softmax.update(s, n);
    acc = gemm(cast<T>(weights), vs, acc * decay);
  });

  store(cast<T>(split(softmax.normalize(acc), m)), O(b, two, rows, v));
  store(split(softmax.log_sum(), m), L(b, two, rows));
}

TILE_KERNEL(group_forward, Config, bf16);
} // namespace

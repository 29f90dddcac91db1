//===- PairedForward.cpp - attention over lists of neighbouring blocks ----===//
// SPDX-License-Identifier: Apache-2.0
//
// A tile is two neighbouring blocks of queries. Key blocks that both list are loaded once, two at a
// time; then each of the two has one of its own at a time. `pair_lists` makes the lists: an entry
// is two key blocks.

#include "../common/Masks.h"
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

template <class T> void paired_forward(Kernel &k, const Config &cfg) {
  Dim batch("batch"), heads("heads"), kv_heads("kv_heads");
  Dim q_len("q_len"), kv_len("kv_len"), max_blocks("max_blocks");
  Dim pairs = ceil_div(q_len, 2 * cfg.block_m);

  auto Q = k.input<T>("q", {batch, heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {batch, kv_heads, kv_len, cfg.head_dim});
  auto V = k.input<T>("v", {batch, kv_heads, kv_len, cfg.head_dim});
  auto Count = k.input<i32>("pair_count", {batch, heads, pairs, 2}); // common ones, own ones
  auto Block = k.input<i32>("pair_index", {batch, heads, pairs, 2, max_blocks});
  auto O = k.output<T>("o", {batch, heads, q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {batch, heads, q_len});
  auto scale = k.scalar<f32>("scale").positive(); // checked at launch

  Axis m("m", 2 * cfg.block_m), d("d", cfg.head_dim), v("v", cfg.head_dim);
  Axis g("g", 2), r("r", cfg.block_n), n("n", 2 * cfg.block_n);
  auto [p, h, b] = kernels::attention_grid(k, pairs, heads, batch, cfg.causal, true);
  Index kvh = k.group(h, heads, kv_heads);
  auto rows = m.at(p).limit(q_len);

  auto qs = k.alloc_shared<T>({m, d});
  copy(Q(b, h, rows, d), qs);
  auto queries = load(qs); // in registers: see block_sparse_forward
  auto acc = k.fragment<f32>({m, v}, 0.0);
  kernels::OnlineSoftmax softmax(k, m, 1.0); // of scores in base 2
  auto listed = [&](int list, const Index &i) {
    Index both = Block(b, h, p, list, i);
    // Of a negative block none is valid.
    auto keys = [&](const Index &block) { return r.at(block).limit(kv_len); };
    return std::pair(keys(both << 48 >> 48), keys(both >> 16));
  };
  auto visible = [&](const Window &keys) {
    return kernels::visible_keys(rows, keys, cfg.causal, q_len, kv_len);
  };

  k.pipelined(clamp(Count(b, h, p, 0), 0, max_blocks), {.stages = cfg.stages}, [&](Index i) {
    auto [first, second] = listed(0, i);
    auto keys = n.of({first, second});
    auto ks = k.alloc_shared<T>({n, d});
    auto vs = k.alloc_shared<T>({n, v});
    copy(K(b, kvh, keys, d), ks);
    copy(V(b, kvh, keys, v), vs);
    auto s = where(visible(keys), gemm(queries, ks) * (scale * log2e), -inf);
    auto [weights, decay] = softmax.update(s, n);
    acc = gemm(cast<T>(weights), vs, acc * decay);
  });

  k.pipelined(clamp(Count(b, h, p, 1), 0, max_blocks), {.stages = cfg.stages}, [&](Index i) {
    auto [first, second] = listed(1, i);
    auto ks = k.alloc_shared<T>({g, r, d});
    auto vs = k.alloc_shared<T>({g, r, v});
    copy(K(b, kvh, first, d), take(ks, g, 0));
    copy(K(b, kvh, second, d), take(ks, g, 1));
    copy(V(b, kvh, first, v), take(vs, g, 0));
    copy(V(b, kvh, second, v), take(vs, g, 1));
    auto seen = where(k.iota(m) < cfg.block_m, visible(first), visible(second));
    auto s = where(seen, grouped_gemm(queries, ks) * (scale * log2e), -inf);
    auto [weights, decay] = softmax.update(s, r);
    acc = grouped_gemm(cast<T>(weights), vs, acc * decay);
  });

  store(cast<T>(softmax.normalize(acc)), O(b, h, rows, v));
  store(softmax.log_sum(), L(b, h, rows));
}

TILE_KERNEL(paired_forward, Config, bf16);
} // namespace

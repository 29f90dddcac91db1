//===- Gathered.cpp - attention over listed tokens ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For LoopTest.cpp: the rows of keys and values are picked one by one, so the producer's threads
// copy them. An entry of -1 is no token; nor is what stands behind the count.

#include "../../../kernels/common/OnlineSoftmax.h"
#include "Grid.h"

using namespace tile;

namespace {
struct Config {
  int head_dim = 128, block_m = 128, block_n = 128, stages = 2, items = 0;
};
TILE_CONFIG(Config, head_dim, block_m, block_n, stages, items);

/// `rowsOf` says in which rows of k and v the tokens of a tile lie.
template <class T, class RowsOf>
void attendTokens(Kernel &k, const Config &cfg, const RowsOf &rowsOf) {
  Dim heads("heads"), q_len("q_len"), kv_len("kv_len"), most("most");
  most.multiple_of(4); // indices are read in vectors
  Dim q_blocks = ceil_div(q_len, cfg.block_m);
  Axis m("m", cfg.block_m), n("n", cfg.block_n), d("d", cfg.head_dim);
  auto Q = k.input<T>("q", {heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {heads, kv_len, cfg.head_dim});
  auto V = k.input<T>("v", {heads, kv_len, cfg.head_dim});
  auto Count = k.input<i32>("count", {heads, q_blocks});
  auto Token = k.input<i32>("token", {heads, q_blocks, most});
  auto O = k.output<T>("o", {heads, q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {heads, q_len});
  auto scale = k.scalar<f32>("scale").positive();

  auto [qb, h] = loopGrid(k, q_blocks, heads, cfg.items);
  auto queries = m.at(qb);
  auto qs = k.alloc_shared<T>({m, d});
  copy(Q(h, queries, d), qs);
  auto acc = k.fragment<f32>({m, d}, 0.0);
  kernels::OnlineSoftmax softmax(k, m, 1.0);
  Index count = clamp(Count(h, qb), 0, most);
  k.pipelined(ceil_div(count, cfg.block_n), {.stages = cfg.stages}, [&, h = h, qb = qb](Index i) {
    auto tokens = load(Token(h, qb, n.at(i).limit(count)), -1);
    auto rows = rowsOf(tokens);
    auto ks = k.alloc_shared<T>({n, d});
    auto vs = k.alloc_shared<T>({n, d});
    copy(K(h, rows, d), ks);
    copy(V(h, rows, d), vs);
    auto s = gemm(qs, ks) * (scale * log2e);
    auto [p, decay] = softmax.update(where(tokens >= 0, s, -inf), n);
    acc = gemm(cast<T>(p), vs, acc * decay);
  });
  store(cast<T>(softmax.normalize(acc)), O(h, queries, d));
  store(softmax.log_sum(), L(h, queries));
}

template <class T> void gathered_attention(Kernel &k, const Config &cfg) {
  attendTokens<T>(k, cfg, [](const auto &tokens) { return tokens; });
}
TILE_KERNEL(gathered_attention, Config, bf16);

/// Tokens lie in pages of one, wherever the table says.
template <class T> void table_attention(Kernel &k, const Config &cfg) {
  auto Row = k.input<i32>("row", {Dim("table_len")});
  attendTokens<T>(k, cfg, [&](const auto &tokens) { return load(Row(tokens), -1); });
}
TILE_KERNEL(table_attention, Config, bf16);

/// The keys end before their tensor does: what lies behind belongs to somebody else. TMA would copy
/// it.
template <class T> void short_attention(Kernel &k, const Config &cfg) {
  Dim heads("heads"), q_len("q_len"), rows_len("kv_rows"), q_blocks = ceil_div(q_len, cfg.block_m);
  Axis m("m", cfg.block_m), n("n", cfg.block_n), d("d", cfg.head_dim);
  auto Q = k.input<T>("q", {heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {heads, rows_len, cfg.head_dim});
  auto V = k.input<T>("v", {heads, rows_len, cfg.head_dim});
  auto O = k.output<T>("o", {heads, q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {heads, q_len});
  auto scale = k.scalar<f32>("scale").positive();
  Index kv_len = to_index(k.scalar<i32>("kv_len"));

  auto [qb, h] = loopGrid(k, q_blocks, heads, cfg.items);
  auto queries = m.at(qb);
  auto qs = k.alloc_shared<T>({m, d});
  copy(Q(h, queries, d), qs);
  auto acc = k.fragment<f32>({m, d}, 0.0);
  kernels::OnlineSoftmax softmax(k, m, 1.0);
  k.pipelined(ceil_div(kv_len, cfg.block_n), {.stages = cfg.stages}, [&, h = h](Index i) {
    auto keys = n.at(i).limit(kv_len);
    auto ks = k.alloc_shared<T>({n, d});
    auto vs = k.alloc_shared<T>({n, d});
    copy(K(h, keys, d), ks);
    copy(V(h, keys, d), vs);
    auto s = gemm(qs, ks) * (scale * log2e);
    auto [p, decay] = softmax.update(where(keys.valid(), s, -inf), n);
    acc = gemm(cast<T>(p), vs, acc * decay);
  });
  store(cast<T>(softmax.normalize(acc)), O(h, queries, d));
  store(softmax.log_sum(), L(h, queries));
}
TILE_KERNEL(short_attention, Config, bf16);
} // namespace

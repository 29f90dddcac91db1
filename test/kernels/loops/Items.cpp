//===- Items.cpp - a pipelined loop inside a loop over work items ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Attention over listed blocks by a persistent kernel: the producer fetches the next item's queries
// and keys while the consumers end this one.

#include "../../../kernels/common/OnlineSoftmax.h"

using namespace tile;

namespace {
struct Config {
  int head_dim = 128, block_m = 128, block_n = 128, stages = 2;
};
TILE_CONFIG(Config, head_dim, block_m, block_n, stages);

template <class T> void item_attention(Kernel &k, const Config &cfg) {
  Dim heads("heads"), q_len("q_len"), kv_len("kv_len"), most("most");
  Dim q_blocks = ceil_div(q_len, cfg.block_m);
  auto Q = k.input<T>("q", {heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {heads, kv_len, cfg.head_dim});
  auto V = k.input<T>("v", {heads, kv_len, cfg.head_dim});
  auto Count = k.input<i32>("count", {heads, q_blocks});
  auto Block = k.input<i32>("block", {heads, q_blocks, most});
  auto O = k.output<T>("o", {heads, q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {heads, q_len});
  auto scale = k.scalar<f32>("scale").positive();

  Axis m("m", cfg.block_m), n("n", cfg.block_n), d("d", cfg.head_dim);
  Dim items = q_blocks * heads;
  k.tiles(items, k.index(items), [&](Index item) {
    Index number = min(item, 0x7fffffff); // divisions of 32 bits
    Index qb = number % q_blocks, h = number / q_blocks;
    auto rows = m.at(qb).limit(q_len);
    auto qs = k.alloc_shared<T>({m, d});
    copy(Q(h, rows, d), qs);
    auto acc = k.fragment<f32>({m, d}, 0.0);
    kernels::OnlineSoftmax softmax(k, m, 1.0);
    k.pipelined(clamp(Count(h, qb), 0, most), {.stages = cfg.stages}, [&](Index i) {
      auto keys = n.at(Block(h, qb, i)).limit(kv_len);
      auto ks = k.alloc_shared<T>({n, d});
      auto vs = k.alloc_shared<T>({n, d});
      copy(K(h, keys, d), ks);
      copy(V(h, keys, d), vs);
      auto s = where(keys.valid(), gemm(qs, ks) * (scale * log2e), -inf);
      auto [p, decay] = softmax.update(s, n);
      acc = gemm(cast<T>(p), vs, acc * decay);
    });
    store(cast<T>(softmax.normalize(acc)), O(h, rows, d));
    store(softmax.log_sum(), L(h, rows));
  });
}
TILE_KERNEL(item_attention, Config, bf16);
} // namespace

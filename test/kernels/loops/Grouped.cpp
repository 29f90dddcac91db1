//===- Grouped.cpp - an attention loop of two heads' rows -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "../../../kernels/common/OnlineSoftmax.h"
#include "Grid.h"

using namespace tile;

namespace {
struct Config {
  int head_dim = 128, block_m = 64, block_n = 64, stages = 2, items = 0;
};
TILE_CONFIG(Config, head_dim, block_m, block_n, stages, items);

/// Dense attention; a tile of queries is `block_m` rows of one head and as many of the next one,
/// and a tile of keys, which one copy brings, is as many keys of each of the two.
template <class T> void grouped_attention(Kernel &k, const Config &cfg) {
  Dim heads("heads"), q_len("q_len"), kv_len("kv_len");
  auto Q = k.input<T>("q", {heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {heads, kv_len, cfg.head_dim});
  auto V = k.input<T>("v", {heads, kv_len, cfg.head_dim});
  auto O = k.output<T>("o", {heads, q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {heads, q_len});
  auto scale = k.scalar<f32>("scale").positive();

  Axis g("g", 2), r("r", cfg.block_m), m = g * r, n("n", cfg.block_n), d("d", cfg.head_dim);
  auto [qb, pair] = loopGrid(k, ceil_div(q_len, cfg.block_m), ceil_div(heads, 2), cfg.items);
  auto head = g.at(pair);
  auto rows = r.at(qb);
  auto qs = k.alloc_shared<T>({m, d});
  copy(Q(head, rows, d), qs);
  auto acc = k.fragment<f32>({m, d}, 0.0);
  kernels::OnlineSoftmax softmax(k, m, 1.0);
  k.pipelined(ceil_div(kv_len, cfg.block_n), {.stages = cfg.stages}, [&](Index i) {
    auto keys = n.at(i).limit(kv_len);
    auto ks = k.alloc_shared<T>({g, n, d});
    auto vs = k.alloc_shared<T>({g, n, d});
    copy(K(head, keys, d), ks);
    copy(V(head, keys, d), vs);
    auto s = grouped_gemm(qs, ks) * (scale * log2e);
    auto [p, decay] = softmax.update(where(keys.valid(), s, -inf), n);
    acc = grouped_gemm(cast<T>(p), vs, acc * decay);
  });
  store(split(cast<T>(softmax.normalize(acc)), m), O(head, rows, d));
  store(split(softmax.log_sum(), m), L(head, rows));
}
TILE_KERNEL(grouped_attention, Config, bf16);
} // namespace

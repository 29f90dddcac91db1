//===- DenseForward.cpp - attention over all keys -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A query without a key (causal, with fewer keys than queries) gives 0 and a log-sum-exp of -inf.

#include "../common/Masks.h"
#include "../common/OnlineSoftmax.h"
#include "GridOrder.h"

using namespace tile;

namespace {
/// What is fixed when the cubin is built; each combination is one kernel.
struct Config {
  int head_dim = 128, block_m = 128, block_n = 128, stages = 2;
  bool causal = true;
};
TILE_CONFIG(Config, head_dim, block_m, block_n, stages, causal);

template <class T> void dense_forward(Kernel &k, const Config &cfg) {
  // Extents known at launch. A name used twice must agree; the generated launcher checks it.
  Dim batch("batch"), heads("heads"), kv_heads("kv_heads"), q_len("q_len"), kv_len("kv_len");
  Dim q_blocks = ceil_div(q_len, cfg.block_m);

  auto Q = k.input<T>("q", {batch, heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {batch, kv_heads, kv_len, cfg.head_dim});
  auto V = k.input<T>("v", {batch, kv_heads, kv_len, cfg.head_dim});
  auto O = k.output<T>("o", {batch, heads, q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {batch, heads, q_len});
  auto scale = k.scalar<f32>("scale").positive(); // checked at launch

  // Axes of the tiles. Operations match axes by name: gemm contracts the shared one, arithmetic
  // broadcasts.
  Axis m("m", cfg.block_m), n("n", cfg.block_n), d("d", cfg.head_dim), v("v", cfg.head_dim);
  auto [qb, h, b] =
      kernels::attention_grid(k, q_blocks, heads, batch, cfg.causal, cfg.head_dim == 128);
  Index kvh = k.group(h, heads, kv_heads);
  auto rows = m.at(qb).limit(q_len); // past the limit: reads give 0, stores are dropped

  auto qs = k.alloc_shared<T>({m, d});
  copy(Q(b, h, rows, d), qs);
  auto acc = k.fragment<f32>({m, v}, 0.0);
  kernels::OnlineSoftmax softmax(k, m, 1.0); // of scores in base 2

  // The blocks up to the last key that the last of these queries sees. The last block first: it is
  // the one that needs a mask.
  Index blocks = k.index(ceil_div(kv_len, cfg.block_n));
  if (cfg.causal)
    blocks = ceil_div(clamp((qb + 1) * cfg.block_m + (kv_len - q_len), 0, kv_len), cfg.block_n);
  k.pipelined(blocks, {.stages = cfg.stages}, [&](Index i) {
    auto keys = n.at(blocks - 1 - i).limit(kv_len);
    auto ks = k.alloc_shared<T>({n, d}); // allocated in the loop: one per stage
    auto vs = k.alloc_shared<T>({n, v});
    copy(K(b, kvh, keys, d), ks);
    copy(V(b, kvh, keys, v), vs);

    auto s = gemm(qs, ks) * (scale * log2e); // [m,d] x [n,d] -> [m,n]
    s = where(kernels::visible_keys(rows, keys, cfg.causal, q_len, kv_len), s, -inf);
    auto [p, decay] = softmax.update(s, n);
    acc = gemm(cast<T>(p), vs, acc * decay); // [m,n] x [n,v] -> [m,v]
  });

  store(cast<T>(softmax.normalize(acc)), O(b, h, rows, v));
  store(softmax.log_sum(), L(b, h, rows));
}

TILE_KERNEL(dense_forward, Config, bf16, f16);
} // namespace

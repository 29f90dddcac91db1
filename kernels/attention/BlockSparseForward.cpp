//===- BlockSparseForward.cpp - attention over listed key blocks ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each block of queries has a list of key blocks, in any order; a negative entry and one past the
// end contribute nothing. A query without a key gives 0 and a log-sum-exp of -inf.

#include "../common/Masks.h"
#include "../common/OnlineSoftmax.h"
#include "GridOrder.h"

#include <optional>

using namespace tile;

namespace {
/// What is fixed when the cubin is built; each combination is one kernel.
struct Config {
  int head_dim = 128, block_m = 128, block_n = 128, stages = 2;
  bool causal = true;
  int value_dim = 0; // of V and the output; 0: head_dim
};
TILE_CONFIG(Config, head_dim, block_m, block_n, stages, causal, value_dim);

template <class T> void block_sparse_forward(Kernel &k, const Config &cfg) {
  // Extents known at launch. A name used twice must agree; the generated launcher checks it.
  Dim batch("batch"), heads("heads"), kv_heads("kv_heads");
  Dim q_len("q_len"), kv_len("kv_len"), max_blocks("max_blocks");
  Dim q_blocks = ceil_div(q_len, cfg.block_m);
  int value_dim = cfg.value_dim ? cfg.value_dim : cfg.head_dim;

  auto Q = k.input<T>("q", {batch, heads, q_len, cfg.head_dim});
  auto K = k.input<T>("k", {batch, kv_heads, kv_len, cfg.head_dim});
  auto V = k.input<T>("v", {batch, kv_heads, kv_len, value_dim});
  auto block_count = k.input<i32>("block_count", {batch, heads, q_blocks});
  auto block_index = k.input<i32>("block_index", {batch, heads, q_blocks, max_blocks});
  auto O = k.output<T>("o", {batch, heads, q_len, value_dim});
  auto L = k.output<f32>("lse", {batch, heads, q_len});
  auto scale = k.scalar<f32>("scale").positive(); // checked at launch

  // Axes of the tiles. Operations match axes by name: gemm contracts the shared one, arithmetic
  // broadcasts.
  Axis m("m", cfg.block_m), n("n", cfg.block_n), d("d", cfg.head_dim), v("v", value_dim);
  auto [qb, h, b] =
      kernels::attention_grid(k, q_blocks, heads, batch, cfg.causal, cfg.block_m == 128);
  Index kvh = k.group(h, heads, kv_heads);
  auto rows = m.at(qb).limit(q_len); // past the limit: reads give 0, stores are dropped

  // A product of 64 columns would read as many bytes of queries as of keys from shared memory, and
  // take all of its bandwidth: there the queries stay in registers, which a head of 256 needs for
  // other things.
  bool in_registers = cfg.block_n <= 64 && cfg.head_dim == 128;
  std::optional<Shared<T>> shared_queries;
  std::optional<Fragment<T>> queries;
  if (in_registers)
    queries.emplace(load(Q(b, h, rows, d)));
  else
    copy(Q(b, h, rows, d), shared_queries.emplace(k.alloc_shared<T>({m, d})));
  auto scores = [&](const Shared<T> &keys) {
    return in_registers ? gemm(*queries, keys) : gemm(*shared_queries, keys);
  };
  auto acc = k.fragment<f32>({m, v}, 0.0);
  kernels::OnlineSoftmax softmax(k, m, 1.0); // of scores in base 2

  auto count = clamp(block_count(b, h, qb), 0, max_blocks);
  k.pipelined(count, {.stages = cfg.stages}, [&](Index i) {
    auto keys = n.at(block_index(b, h, qb, i)).limit(kv_len); // a negative block has no valid key
    auto ks = k.alloc_shared<T>({n, d}); // allocated in the loop: one per stage
    auto vs = k.alloc_shared<T>({n, v});
    copy(K(b, kvh, keys, d), ks);
    copy(V(b, kvh, keys, v), vs);

    auto s = scores(ks) * (scale * log2e); // [m,d] x [n,d] -> [m,n]
    s = where(kernels::visible_keys(rows, keys, cfg.causal, q_len, kv_len), s, -inf);
    auto [p, decay] = softmax.update(s, n);
    acc = gemm(cast<T>(p), vs, acc * decay); // [m,n] x [n,v] -> [m,v]
  });

  store(cast<T>(softmax.normalize(acc)), O(b, h, rows, v));
  store(softmax.log_sum(), L(b, h, rows));
}

TILE_KERNEL(block_sparse_forward, Config, bf16, f16);
} // namespace

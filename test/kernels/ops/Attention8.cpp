//===- Attention8.cpp - attention over 8-bit keys and values in pages --------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Blocks {
  int rows = 64, keys = 64;
};
TILE_CONFIG(Blocks, rows, keys);

/// Attention whose keys and values are 8-bit numbers times a scale for each of their heads, and lie
/// one by one at the rows that `table` names. Values are widened for the second product, which
/// takes the probabilities in bf16.
template <class T> void attention8(Kernel &k, const Blocks &cfg) {
  Dim q_len("q_len"), kv_len("kv_len"), heads("heads"), kv_heads("kv_heads"), slots("slots");
  auto Q = k.input<T>("q", {heads, q_len, 64});
  auto K = k.input<T>("k", {slots, kv_heads, 64});
  auto V = k.input<T>("v", {slots, kv_heads, 64});
  auto Table = k.input<i32>("table", {kv_len});
  auto ScaleK = k.input<f32>("scale_k", {kv_heads});
  auto ScaleV = k.input<f32>("scale_v", {kv_heads});
  auto O = k.output<f32>("o", {heads, q_len, 64});

  Axis m("m", cfg.rows), n("n", cfg.keys), d("d", 64), e("e", 64);
  auto [i, head] = k.grid(ceil_div(q_len, cfg.rows), heads);
  Index kv_head = k.group(head, heads, kv_heads);
  auto qs = k.alloc_shared<T>({m, d});
  copy(Q(head, m.at(i), d), qs);
  auto scale = ScaleK(kv_head) * (0.125 * 1.4426950408889634);
  auto top = k.fragment<f32>({m}, -inf), sum = k.fragment<f32>({m}, 0.0);
  auto acc = k.fragment<f32>({m, e}, 0.0);
  k.loop(ceil_div(kv_len, cfg.keys), [&](Index j) {
    auto ks = k.alloc_shared<T>({n, d});
    auto vs = k.alloc_shared<bf16>({n, e});
    auto columns = n.at(j).limit(k.index(kv_len));
    auto slot = load(Table(columns), -1);
    copy(K(slot, kv_head, d), ks);
    store(cast<bf16>(load(V(slot, kv_head, e))), vs);
    auto s = where(columns.valid(), gemm(qs, ks) * scale, -inf);
    auto next = max(top, reduce_max(s, n));
    auto p = exp2(s - next);
    auto keep = exp2(top - next);
    sum = sum * keep + reduce_sum(p, n);
    acc = gemm(cast<bf16>(p), vs, acc * keep);
    top = next;
  });
  store(acc * (ScaleV(kv_head) / sum), O(head, m.at(i), e));
}
TILE_KERNEL(attention8, Blocks, e4m3, e5m2);
} // namespace

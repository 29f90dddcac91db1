//===- Attention.cpp - attention loops of many makes ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain loops, each of another make, for LoopTest.cpp: all of them are to be split into a producer
// and consumers. None names a barrier, a stage or a role.

#include "../../../kernels/common/OnlineSoftmax.h"
#include "Grid.h"

using namespace tile;

namespace {
struct Config {
  int head_dim = 128, block_m = 128, block_n = 128, stages = 2, items = 0;
};
TILE_CONFIG(Config, head_dim, block_m, block_n, stages, items);

/// What the loops have in common: the tensors, a tile of queries, the state of the softmax.
template <class T> struct Attention {
  Kernel &k;
  Dim heads{"heads"}, q_len{"q_len"}, kv_len{"kv_len"}, q_blocks;
  Axis m, n, d;
  Global<T> Q;

  Attention(Kernel &k, const Config &cfg)
      : k(k), q_blocks(ceil_div(q_len, cfg.block_m)), m("m", cfg.block_m), n("n", cfg.block_n),
        d("d", cfg.head_dim), Q(k.input<T>("q", {heads, q_len, cfg.head_dim})) {}

  Global<T> keys(const char *name) { return k.input<T>(name, {heads, kv_len, d.extent()}); }
};

/// The state of one tile of queries while its keys pass by.
template <class T> struct Rows {
  Fragment<f32> acc;
  kernels::OnlineSoftmax softmax;

  Rows(Kernel &k, const Axis &m, const Axis &d)
      : acc(k.fragment<f32>({m, d}, 0.0)), softmax(k, m, 1.0) {}

  /// Scores in base 2.
  void add(const Fragment<f32> &scores, const Axis &n, const Shared<T> &values) {
    auto [p, decay] = softmax.update(scores, n);
    acc = gemm(cast<T>(p), values, acc * decay);
  }
  void finish(const Slice<T> &o, const Slice<f32> &lse) {
    store(cast<T>(softmax.normalize(acc)), o);
    store(softmax.log_sum(), lse);
  }
};

/// Listed blocks; scores pass through cap * tanh(score / cap).
template <class T> void capped_attention(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  auto K = a.keys("k"), V = a.keys("v");
  Dim most("most");
  auto Count = k.input<i32>("count", {a.heads, a.q_blocks});
  auto Block = k.input<i32>("block", {a.heads, a.q_blocks, most});
  auto O = k.output<T>("o", {a.heads, a.q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {a.heads, a.q_len});
  auto scale = k.scalar<f32>("scale").positive();
  auto cap = k.scalar<f32>("cap").positive();

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  Rows<T> state(k, a.m, a.d);
  k.pipelined(clamp(Count(h, qb), 0, most), {.stages = cfg.stages}, [&](Index i) {
    auto keys = a.n.at(Block(h, qb, i)).limit(a.kv_len);
    auto ks = k.alloc_shared<T>({a.n, a.d});
    auto vs = k.alloc_shared<T>({a.n, a.d});
    copy(K(h, keys, a.d), ks);
    copy(V(h, keys, a.d), vs);
    auto s = tanh(gemm(qs, ks) * (scale / cap)) * (cap * log2e);
    state.add(where(keys.valid(), s, -inf), a.n, vs);
  });
  state.finish(O(h, rows, a.d), L(h, rows));
}
TILE_KERNEL(capped_attention, Config, bf16);

/// Listed blocks; each key has a scale of its own, which is fetched beside it.
template <class T> void scaled_attention(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  a.kv_len.multiple_of(4); // rows of scales are then multiples of 16 bytes
  auto K = a.keys("k"), V = a.keys("v");
  auto Scale = k.input<f32>("key_scale", {a.heads, a.kv_len});
  Dim most("most");
  auto Count = k.input<i32>("count", {a.heads, a.q_blocks});
  auto Block = k.input<i32>("block", {a.heads, a.q_blocks, most});
  auto O = k.output<T>("o", {a.heads, a.q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {a.heads, a.q_len});
  auto scale = k.scalar<f32>("scale").positive();

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  Rows<T> state(k, a.m, a.d);
  k.pipelined(clamp(Count(h, qb), 0, most), {.stages = cfg.stages}, [&](Index i) {
    auto keys = a.n.at(Block(h, qb, i)).limit(a.kv_len);
    auto ks = k.alloc_shared<T>({a.n, a.d});
    auto vs = k.alloc_shared<T>({a.n, a.d});
    auto cs = k.alloc_shared<f32>({a.n});
    copy(K(h, keys, a.d), ks);
    copy(Scale(h, keys), cs);
    copy(V(h, keys, a.d), vs);
    auto s = gemm(qs, ks) * load(cs) * (scale * log2e);
    state.add(where(keys.valid(), s, -inf), a.n, vs);
  });
  state.finish(O(h, rows, a.d), L(h, rows));
}
TILE_KERNEL(scaled_attention, Config, bf16);

/// All blocks pass by; the body runs for those whose bit is set, 32 to a word.
template <class T> void guarded_attention(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  auto K = a.keys("k"), V = a.keys("v");
  Dim blocks = ceil_div(a.kv_len, cfg.block_n);
  auto Bits = k.input<i32>("bits", {a.heads, a.q_blocks, ceil_div(blocks, 32)});
  auto O = k.output<T>("o", {a.heads, a.q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {a.heads, a.q_len});
  auto scale = k.scalar<f32>("scale").positive();

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  Rows<T> state(k, a.m, a.d);
  k.pipelined(blocks, {.stages = cfg.stages}, [&](Index i) {
    Index word = Bits(h, qb, i / 32);
    k.when(((word >> (i % 32)) & 1) != 0, [&] {
      auto keys = a.n.at(i).limit(a.kv_len);
      auto ks = k.alloc_shared<T>({a.n, a.d});
      auto vs = k.alloc_shared<T>({a.n, a.d});
      copy(K(h, keys, a.d), ks);
      copy(V(h, keys, a.d), vs);
      auto s = gemm(qs, ks) * (scale * log2e);
      state.add(where(keys.valid(), s, -inf), a.n, vs);
    });
  });
  state.finish(O(h, rows, a.d), L(h, rows));
}
TILE_KERNEL(guarded_attention, Config, bf16);

/// Listed blocks of a sequence that lies in pages of two blocks, wherever the table says.
template <class T> void paged_attention(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  constexpr int per_page = 2;
  Dim pages("pages"), most("most"), table_len("table_len");
  auto K = k.input<T>("k", {pages, a.heads, per_page * cfg.block_n, cfg.head_dim});
  auto V = k.input<T>("v", {pages, a.heads, per_page * cfg.block_n, cfg.head_dim});
  auto Page = k.input<i32>("page", {table_len});
  auto Count = k.input<i32>("count", {a.heads, a.q_blocks});
  auto Block = k.input<i32>("block", {a.heads, a.q_blocks, most});
  auto O = k.output<T>("o", {a.heads, a.q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {a.heads, a.q_len});
  auto scale = k.scalar<f32>("scale").positive();
  auto kv_len = to_index(k.scalar<i32>("kv_len"));

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  Rows<T> state(k, a.m, a.d);
  k.pipelined(clamp(Count(h, qb), 0, most), {.stages = cfg.stages}, [&](Index i) {
    Index block = Block(h, qb, i);
    Index page = Page(block / per_page);
    auto inPage = a.n.at(block % per_page);
    auto ks = k.alloc_shared<T>({a.n, a.d});
    auto vs = k.alloc_shared<T>({a.n, a.d});
    copy(K(page, h, inPage, a.d), ks);
    copy(V(page, h, inPage, a.d), vs);
    auto s = gemm(qs, ks) * (scale * log2e);
    state.add(where(a.n.at(block).limit(kv_len).valid(), s, -inf), a.n, vs);
  });
  state.finish(O(h, rows, a.d), L(h, rows));
}
TILE_KERNEL(paged_attention, Config, bf16);

/// Listed blocks, two an iteration: the tile of keys consists of both. A list of an odd number of
/// blocks goes on with -1. Queries see no later key.
template <class T> void pair_attention(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  auto K = a.keys("k"), V = a.keys("v");
  Dim most("most");
  auto Count = k.input<i32>("count", {a.heads, a.q_blocks});
  auto Block = k.input<i32>("block", {a.heads, a.q_blocks, most});
  auto O = k.output<T>("o", {a.heads, a.q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {a.heads, a.q_len});
  auto scale = k.scalar<f32>("scale").positive();

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  Rows<T> state(k, a.m, a.d);
  Axis both("both", 2 * cfg.block_n);
  Index trips = ceil_div(clamp(Count(h, qb), 0, most), 2);
  k.pipelined(trips, {.stages = cfg.stages}, [&](Index i) {
    auto keys =
        both.of({a.n.at(Block(h, qb, i * 2)), a.n.at(Block(h, qb, i * 2 + 1))}).limit(a.kv_len);
    auto ks = k.alloc_shared<T>({both, a.d});
    auto vs = k.alloc_shared<T>({both, a.d});
    copy(K(h, keys, a.d), ks);
    copy(V(h, keys, a.d), vs);
    auto s = gemm(qs, ks) * (scale * log2e);
    auto seen = keys.valid() & (rows.position() + (a.kv_len - a.q_len) >= keys.position());
    state.add(where(seen, s, -inf), both, vs);
  });
  state.finish(O(h, rows, a.d), L(h, rows));
}
TILE_KERNEL(pair_attention, Config, bf16);

/// Listed blocks of a sequence that lies in pages of 16 rows: a tile is filled page by page.
template <class T> void small_pages_attention(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  Axis page("page", 16);
  const int per_block = cfg.block_n / 16;
  Dim pages("pages"), most("most"), table_len("table_len");
  auto K = k.input<T>("k", {pages, a.heads, page.extent(), cfg.head_dim});
  auto V = k.input<T>("v", {pages, a.heads, page.extent(), cfg.head_dim});
  auto Page = k.input<i32>("page", {table_len});
  auto Count = k.input<i32>("count", {a.heads, a.q_blocks});
  auto Block = k.input<i32>("block", {a.heads, a.q_blocks, most});
  auto O = k.output<T>("o", {a.heads, a.q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {a.heads, a.q_len});
  auto scale = k.scalar<f32>("scale").positive();
  auto kv_len = to_index(k.scalar<i32>("kv_len"));

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  Rows<T> state(k, a.m, a.d);
  k.pipelined(clamp(Count(h, qb), 0, most), {.stages = cfg.stages}, [&](Index i) {
    Index block = Block(h, qb, i);
    auto ks = k.alloc_shared<T>({a.n, a.d});
    auto vs = k.alloc_shared<T>({a.n, a.d});
    for (int part = 0; part < per_block; ++part) {
      Index number = Page(block * per_block + part);
      copy(K(number, h, page, a.d), ks.slice(a.n, 16 * part, page));
      copy(V(number, h, page, a.d), vs.slice(a.n, 16 * part, page));
    }
    auto s = gemm(qs, ks) * (scale * log2e);
    state.add(where(a.n.at(block).limit(kv_len).valid(), s, -inf), a.n, vs);
  });
  state.finish(O(h, rows, a.d), L(h, rows));
}
TILE_KERNEL(small_pages_attention, Config, bf16);

/// Each query sees the first `sink` keys and the `window` ones up to itself: a loop over the blocks
/// of the first, then one over those of the window.
template <class T> void sink_attention(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  auto K = a.keys("k"), V = a.keys("v");
  auto O = k.output<T>("o", {a.heads, a.q_len, cfg.head_dim});
  auto L = k.output<f32>("lse", {a.heads, a.q_len});
  auto scale = k.scalar<f32>("scale").positive();
  Index window = to_index(k.scalar<i32>("window")), sink = to_index(k.scalar<i32>("sink"));

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  Rows<T> state(k, a.m, a.d);
  // The last query sees the last key.
  Index first = qb * cfg.block_m + (a.kv_len - a.q_len), end = first + cfg.block_m;
  Index last_block = ceil_div(clamp(end, 0, a.kv_len), cfg.block_n);
  Index window_block = min(max(first - window + 1, 0) / cfg.block_n, last_block);
  Index sink_blocks = min(ceil_div(max(sink, 0), cfg.block_n), window_block);
  auto step = [&](Index block) {
    auto keys = a.n.at(block).limit(a.kv_len);
    auto ks = k.alloc_shared<T>({a.n, a.d});
    auto vs = k.alloc_shared<T>({a.n, a.d});
    copy(K(h, keys, a.d), ks);
    copy(V(h, keys, a.d), vs);
    auto s = gemm(qs, ks) * (scale * log2e);
    auto query = rows.position() + (a.kv_len - a.q_len), key = keys.position();
    auto seen = keys.valid() & (query >= key) & ((query - key < window) | (key < sink));
    state.add(where(seen, s, -inf), a.n, vs);
  };
  k.pipelined(sink_blocks, {.stages = cfg.stages}, [&](Index i) { step(i); });
  k.pipelined(last_block - window_block, {.stages = cfg.stages},
              [&](Index i) { step(window_block + i); });
  state.finish(O(h, rows, a.d), L(h, rows));
}
TILE_KERNEL(sink_attention, Config, bf16);

/// The gradient of attention's queries, from the gradient of its output, the log-sum-exp of its
/// rows and the rows' sums of o * do: three products in an iteration.
template <class T> void query_gradient(Kernel &k, const Config &cfg) {
  Attention<T> a(k, cfg);
  auto K = a.keys("k"), V = a.keys("v");
  auto dO = k.input<T>("do", {a.heads, a.q_len, cfg.head_dim});
  auto Lse = k.input<f32>("lse", {a.heads, a.q_len});
  auto Delta = k.input<f32>("delta", {a.heads, a.q_len});
  auto dQ = k.output<T>("dq", {a.heads, a.q_len, cfg.head_dim});
  auto scale = k.scalar<f32>("scale").positive();

  auto [qb, h] = loopGrid(k, a.q_blocks, a.heads, cfg.items);
  auto rows = a.m.at(qb);
  auto qs = k.alloc_shared<T>({a.m, a.d});
  auto dos = k.alloc_shared<T>({a.m, a.d});
  copy(a.Q(h, rows, a.d), qs);
  copy(dO(h, rows, a.d), dos);
  auto lse = load(Lse(h, rows)) * log2e, delta = load(Delta(h, rows));
  auto acc = k.fragment<f32>({a.m, a.d}, 0.0);
  k.pipelined(ceil_div(a.kv_len, cfg.block_n), {.stages = cfg.stages}, [&](Index i) {
    auto keys = a.n.at(i);
    auto ks = k.alloc_shared<T>({a.n, a.d});
    auto vs = k.alloc_shared<T>({a.n, a.d});
    copy(K(h, keys, a.d), ks);
    copy(V(h, keys, a.d), vs);
    auto p = exp2(gemm(qs, ks) * (scale * log2e) - lse);
    auto ds = p * (gemm(dos, vs) - delta);
    acc = gemm(cast<T>(ds), ks, acc); // keys past the end are 0 and add nothing
  });
  store(cast<T>(acc * scale), dQ(h, rows, a.d));
}
TILE_KERNEL(query_gradient, Config, bf16);
} // namespace

//===- Rotary.cpp - rotary position embedding ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int head_dim = 128;
  bool interleaved = false; // pairs are neighbours (2 i, 2 i + 1), otherwise (i, i + head_dim / 2)
  int block_seq = 4, block_heads = 8;
};
TILE_CONFIG(Config, head_dim, interleaved, block_seq, block_heads);

/// Turns pair i of each head at position s by an angle, of which cos[s, i] and sin[s, i] are given:
/// (a, b) becomes (a cos - b sin, b cos + a sin), in f32 and rounded once.
template <class T> void rotary(Kernel &k, const Config &cfg) {
  Dim batch("batch"), seq("seq"), heads("heads");
  auto X = k.input<T>("x", {batch, seq, heads, cfg.head_dim});
  auto Cos = k.input<f32>("cos", {seq, cfg.head_dim / 2});
  auto Sin = k.input<f32>("sin", {seq, cfg.head_dim / 2});
  auto Y = k.output<T>("y", {batch, seq, heads, cfg.head_dim});

  Axis s("s", cfg.block_seq), h("h", cfg.block_heads);
  Axis side("side", 2), pair("pair", cfg.head_dim / 2);
  Axis d = cfg.interleaved ? pair * side : side * pair;
  auto [j, i, b] = k.grid(ceil_div(heads, cfg.block_heads), ceil_div(seq, cfg.block_seq), batch);
  auto positions = s.at(i), group = h.at(j);

  auto x = split(cast<f32>(load(X(b, positions, group, d))), d);
  auto cosine = load(Cos(positions, pair)), sine = load(Sin(positions, pair));
  auto one = take(x, side, 0), other = take(x, side, 1);
  auto turned = stack({one * cosine - other * sine, other * cosine + one * sine}, side);
  store(cast<T>(join(turned, d)), Y(b, positions, group, d));
}

TILE_KERNEL(rotary, Config, bf16, f32);
} // namespace

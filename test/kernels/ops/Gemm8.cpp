//===- Gemm8.cpp - products of 8-bit floats -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block_m = 64, block_n = 64, block_k = 64;
  bool mixed = false;     // b has the other 8-bit type
  bool registers = false; // a comes from registers, rounded from f32
};
TILE_CONFIG(Config, block_m, block_n, block_k, mixed, registers);

template <class A, class B> void multiply(Kernel &k, const Config &cfg) {
  Dim m_len("m"), n_len("n"), k_len("k");
  auto TensorA = k.input<f32>("a", {m_len, k_len});
  auto TensorB = k.input<B>("b", {n_len, k_len});
  auto C = k.output<f32>("c", {m_len, n_len});

  Axis m("m", cfg.block_m), n("n", cfg.block_n), kk("k", cfg.block_k);
  auto [j, i] = k.grid(ceil_div(n_len, cfg.block_n), ceil_div(m_len, cfg.block_m));
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.loop(ceil_div(k_len, cfg.block_k), [&](Index step) {
    auto bs = k.alloc_shared<B>({n, kk});
    copy(TensorB(n.at(j), kk.at(step)), bs);
    auto a = cast<A>(load(TensorA(m.at(i), kk.at(step))));
    if (cfg.registers) {
      acc = gemm(a, bs, acc);
      return;
    }
    auto as = k.alloc_shared<A>({m, kk});
    store(a, as);
    acc = gemm(as, bs, acc);
  });
  store(acc, C(m.at(i), n.at(j)));
}

/// c = a * b^T where a is rounded to T.
template <class T> void gemm8(Kernel &k, const Config &cfg) {
  using Other = std::conditional_t<std::same_as<T, e4m3>, e5m2, e4m3>;
  cfg.mixed ? multiply<T, Other>(k, cfg) : multiply<T, T>(k, cfg);
}
TILE_KERNEL(gemm8, Config, e4m3, e5m2);

struct Chain {
  int block_m = 64;
};
TILE_CONFIG(Chain, block_m);

/// c = (a * b^T rounded to T) * v^T: the first product's registers are the second one's operand.
template <class T> void chained_gemm8(Kernel &k, const Chain &cfg) {
  auto A = k.input<T>("a", {cfg.block_m, 64});
  auto B = k.input<T>("b", {128, 64});
  auto V = k.input<T>("v", {32, 128});
  auto C = k.output<f32>("c", {cfg.block_m, 32});

  Axis m("m", cfg.block_m), n("n", 128), d("d", 64), e("e", 32);
  k.grid(1);
  auto as = k.alloc_shared<T>({m, d}), bs = k.alloc_shared<T>({n, d});
  auto vs = k.alloc_shared<T>({e, n});
  copy(A(m, d), as);
  copy(B(n, d), bs);
  copy(V(e, n), vs);
  store(gemm(cast<T>(gemm(as, bs)), vs), C(m, e));
}
TILE_KERNEL(chained_gemm8, Chain, e4m3, e5m2);
} // namespace

// Consumers gather and scatter behind a loop that producers feed: the rows of a product, added to those
// that they are scattered to.
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{run} = tile-run %s --in a=random --in b=random --in c=random:9 --dim rows=211 --dim m=200 --dim n=136 --dim k=200
// RUN: %{run} --target=host --out c=%t/c.npy
// RUN: sh -c 'for seed in 0 1 2; do %{run} --target=sm --seed=$seed --expect c=%t/c.npy,0.01,0.01 || exit 1; done' 2>&1 | FileCheck %s
// RUN: %{run} --target=sm --schedule=simple --expect c=%t/c.npy,0.01,0.01
// CHECK-NOT: simple path
// CHECK-COUNT-3: scattered_gemm__bf16{{.*}} on sm
#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int stages = 2;
};
TILE_CONFIG(Config, stages);

template <class T> void scattered_gemm(Kernel &k, const Config &cfg) {
  Dim rows("rows"), m_len("m"), n_len("n"), k_len("k");
  n_len.multiple_of(8);
  k_len.multiple_of(8);
  auto A = k.input<T>("a", {m_len, k_len});
  auto B = k.input<T>("b", {k_len, n_len});
  auto C = k.inout<T>("c", {rows, n_len});

  Axis m("m", 128), n("n", 64), kk("k", 64);
  auto [j, i] = k.grid(ceil_div(n_len, 64), ceil_div(m_len, 128));
  auto lines = m.at(i), cols = n.at(j);
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.pipelined(ceil_div(k_len, 64), {.stages = cfg.stages}, [&](Index step) {
    auto as = k.alloc_shared<T>({m, kk}), bs = k.alloc_shared<T>({kk, n});
    copy(A(lines, kk.at(step)), as);
    copy(B(kk.at(step), cols), bs);
    acc = gemm(as, bs, acc);
  });
  // No two equal where `rows` is a prime above m.
  auto target = lines.position() * 7 % k.index(rows);
  auto mine = lines.limit(m_len).valid();
  auto before = cast<f32>(load(C(target, cols).where(mine)));
  store(cast<T>(acc + before), C(target, cols).where(mine));
}
TILE_KERNEL(scattered_gemm, Config, bf16);
} // namespace

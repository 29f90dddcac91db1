// RUN: not tilec %s --dtype=bf16 -o %t.cubin 2>&1 | FileCheck %s
// RUN: tilec %s --dtype=bf16 --config=stages=3 --print-shared-map | FileCheck %s --check-prefix=MAP
// Too much shared memory: the message names the author's axes and lines, and says what would fit.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {
  int stages = 5, block_n = 256;
};
TILE_CONFIG(Config, stages, block_n);

// CHECK: shared-overflow.cpp:[[@LINE+31]]:{{.*}}: error: {{.*}}needs 245920 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time
// MAP: offset bytes tile
template <class T> void product(Kernel &k, const Config &cfg) {
  Dim m_len("m"), n_len("n"), k_len("k");
  n_len.multiple_of(8);
  k_len.multiple_of(8);
  auto A = k.input<T>("a", {m_len, k_len});
  auto B = k.input<T>("b", {k_len, n_len});
  auto C = k.output<T>("c", {m_len, n_len});
  Axis m("m", 128), n("n", cfg.block_n), kk("k", 64);
  auto [i, j] = k.grid(ceil_div(m_len, 128), ceil_div(n_len, cfg.block_n));
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.pipelined(ceil_div(k_len, 64), {.stages = cfg.stages}, [&](Index step) {
    // CHECK: shared-overflow.cpp:[[@LINE+8]]:{{.*}}: note: 163840 bytes: 5 stages of [k=64, n=256] of bf16
    // CHECK: shared-overflow.cpp:[[@LINE+6]]:{{.*}}: note: 81920 bytes: 5 stages of [m=128, k=64] of bf16
    // CHECK: note: 160 bytes: 20 mbarriers
    // CHECK: shared-overflow.cpp:[[@LINE+5]]:{{.*}}: note: with 4 of 5 stages the kernel would fit
    // CHECK: shared-overflow.cpp:[[@LINE+4]]:{{.*}}: note: with k of at most 48 instead of 64 the kernel would fit
    // CHECK: shared-overflow.cpp:[[@LINE+3]]:{{.*}}: note: with n of at most 224 instead of 256 the kernel would fit
    // MAP-NEXT: 98304 49152 3 stages of [m=128, k=64] of bf16, swizzled by 128 bytes {{.*}}shared-overflow.cpp:[[@LINE+1]]
    auto as = k.alloc_shared<T>({m, kk});
    auto bs = k.alloc_shared<T>({kk, n});
    // MAP-NEXT: 0 98304 3 stages of [k=64, n=256] of bf16, swizzled by 128 bytes {{.*}}shared-overflow.cpp:[[@LINE-1]]
    // MAP-NEXT: 147456 48 6 mbarriers of the stages at 98304
    // MAP-NEXT: 147504 48 6 mbarriers of the stages at 0
    copy(A(m.at(i), kk.at(step)), as);
    copy(B(kk.at(step), n.at(j)), bs);
    acc = gemm(as, bs, acc);
  });
  store(cast<T>(acc), C(m.at(i), n.at(j)));
}
TILE_KERNEL(product, Config, bf16);

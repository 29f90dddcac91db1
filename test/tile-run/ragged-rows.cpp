// A product over rows of 77 elements that start at multiples of 16 bytes, as only hand-written IR can
// promise of one row: the producer asks for tiles far behind its end, where TMA wants multiples of 16
// bytes too.
// RUN: rm -rf %t && mkdir %t
// RUN: tilec %s --emit=tile -o %t/plain.mlir
// RUN: sed 's/{access = "in", dtype/{access = "in", aligned, dtype/g' %t/plain.mlir > %t/aligned.mlir
// DEFINE: %{given} = --in a=random --in b=random
// RUN: tile-run %t/plain.mlir --target=host %{given} --out c=%t/c.npy
// RUN: tilec %t/aligned.mlir --print-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: tile-run %t/aligned.mlir --target=sm %{given} --expect c=%t/c.npy | FileCheck %s
// SCHEDULE: producer
// CHECK: c: as expected
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void row_product(Kernel &k, const Config &) {
  auto A = k.input<T>("a", {1, 77});
  auto B = k.input<T>("b", {77, 64});
  auto C = k.output<f32>("c", {1, 64});
  Axis m("m", 64), n("n", 64), kk("k", 64);
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.pipelined(5, {.stages = 2}, [&](Index step) {
    auto as = k.alloc_shared<T>({m, kk});
    auto bs = k.alloc_shared<T>({kk, n});
    copy(A(m, kk.at(step)), as);
    copy(B(kk.at(step), n), bs);
    acc = gemm(as, bs, acc);
  });
  store(acc, C(m, n));
}
TILE_KERNEL(row_product, Config, bf16);

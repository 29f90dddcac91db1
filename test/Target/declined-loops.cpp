// Loops that no producer can run ahead of: a remark says why at the author's line, and the simple path
// compiles.

// RUN: tilec %s:found_rows --dtype=bf16 --emit=sm -o %t.mlir 2>&1 | FileCheck %s --check-prefix=FOUND
// RUN: tilec %s:found_rows --dtype=bf16 --print-schedule | FileCheck %s --check-prefix=FOUND-PATH
// RUN: FileCheck %s --check-prefix=CODE < %t.mlir
// RUN: tilec %s:next_rows --dtype=bf16 --emit=sm -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NEXT
// RUN: FileCheck %s --check-prefix=CODE < %t.mlir
// RUN: tilec %s:written_rows --dtype=bf16 --emit=sm -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: tilec %s:written_rows --dtype=bf16 --print-schedule | FileCheck %s --check-prefix=WRITTEN-PATH
// RUN: FileCheck %s --check-prefix=CODE < %t.mlir
// RUN: tilec %s:half_guarded --dtype=bf16 --emit=sm -o %t.mlir 2>&1 | FileCheck %s --check-prefix=GUARD
// RUN: FileCheck %s --check-prefix=CODE < %t.mlir
// CODE: sm.wgmma
// CODE-NOT: sm.tma_load
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// The product of one block says where the next one lies.
template <class T> void found_rows(Kernel &k, const Config &) {
  Dim steps("steps"), len("len");
  auto A = k.input<T>("a", {64, 64});
  auto B = k.input<T>("b", {len, 64});
  auto O = k.output<f32>("o", {64, 64});
  Axis m("m", 64), n("n", 64), d("d", 64);
  auto as = k.alloc_shared<T>({m, d});
  copy(A(m, d), as);
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.pipelined(steps, {.stages = 2}, [&](Index) {
    Index best = to_index(cast<i32>(reduce_max(reduce_max(acc, n), m)));
    auto bs = k.alloc_shared<T>({n, d});
    copy(B(n.from(best), d), bs);
    acc = gemm(as, bs, acc);
  });
  store(acc, O(m, n));
}
TILE_KERNEL(found_rows, Config, bf16);
// FOUND: declined-loops.cpp:[[@LINE-6]]:{{[0-9]+}}: remark: the kernel takes the simple path: an address depends on a result of the computation
// FOUND-NEXT: copy(B(n.from(best), d), bs);
// FOUND-PATH: path simple, without a schedule: an address depends on a result of the computation ({{.*}}declined-loops.cpp:[[@LINE-8]])

// The same one iteration later.
template <class T> void next_rows(Kernel &k, const Config &) {
  Dim steps("steps"), len("len");
  auto A = k.input<T>("a", {64, 64});
  auto B = k.input<T>("b", {len, 64});
  auto O = k.output<f32>("o", {64, 64});
  Axis m("m", 64), n("n", 64), d("d", 64);
  auto as = k.alloc_shared<T>({m, d});
  copy(A(m, d), as);
  auto acc = k.fragment<f32>({m, n}, 0.0);
  Index next = k.index(0);
  k.pipelined(steps, {.stages = 2}, [&](Index) {
    auto bs = k.alloc_shared<T>({n, d});
    copy(B(n.from(next), d), bs);
    acc = gemm(as, bs, acc);
    next = to_index(cast<i32>(reduce_max(reduce_max(acc, n), m)));
  });
  store(acc, O(m, n));
}
TILE_KERNEL(next_rows, Config, bf16);
// NEXT: declined-loops.cpp:[[@LINE-7]]:{{[0-9]+}}: remark: the kernel takes the simple path: an address depends on a result of the computation

// What is loaded changes under the producer.
template <class T> void written_rows(Kernel &k, const Config &) {
  Dim steps("steps"), len("len");
  auto A = k.input<T>("a", {64, 64});
  auto B = k.inout<T>("b", {len, 64});
  Axis m("m", 64), n("n", 64), d("d", 64);
  auto as = k.alloc_shared<T>({m, d});
  copy(A(m, d), as);
  k.pipelined(steps, {.stages = 2}, [&](Index i) {
    auto bs = k.alloc_shared<T>({n, d});
    copy(B(n.at(i), d), bs);
    store(rename(cast<T>(gemm(as, bs)), n, d), B(m.at(i + 1), d));
  });
}
TILE_KERNEL(written_rows, Config, bf16);
// WRITTEN: declined-loops.cpp:[[@LINE-5]]:{{[0-9]+}}: remark: the kernel takes the simple path: the kernel writes the tensor that this copy reads
// WRITTEN-PATH: path simple, without a schedule: the kernel writes the tensor that this copy reads ({{.*}}declined-loops.cpp:[[@LINE-6]])

// What stands beside the condition is seen in every iteration.
template <class T> void half_guarded(Kernel &k, const Config &) {
  Dim steps("steps"), len("len");
  auto A = k.input<T>("a", {64, 64});
  auto B = k.input<T>("b", {len, 64});
  auto Bit = k.input<i32>("bit", {steps});
  auto O = k.output<f32>("o", {steps, 64, 64});
  Axis m("m", 64), n("n", 64), d("d", 64);
  auto as = k.alloc_shared<T>({m, d});
  copy(A(m, d), as);
  auto acc = k.fragment<f32>({m, n}, 0.0);
  k.pipelined(steps, {.stages = 2}, [&](Index i) {
    k.when(Bit(i) != 0, [&] {
      auto bs = k.alloc_shared<T>({n, d});
      copy(B(n.at(i), d), bs);
      acc = gemm(as, bs, acc);
    });
    store(acc, O(i, m, n));
  });
}
TILE_KERNEL(half_guarded, Config, bf16);
// GUARD: declined-loops.cpp:[[@LINE-7]]:{{[0-9]+}}: remark: the kernel takes the simple path: the copy stands under a condition or in an inner loop

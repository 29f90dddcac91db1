// RUN: %dsl %s | FileCheck %s
// The order of operations does not depend on the order in which the host compiler evaluates operands.
// RUN: %dsl %s > %t.clang
// RUN: env CXX=g++ %dsl %s > %t.gcc
// RUN: diff %t.clang %t.gcc
// RUN: %dsl %source/kernels/attention/BlockSparseForward.cpp > %t.clang
// RUN: env CXX=g++ %dsl %source/kernels/attention/BlockSparseForward.cpp > %t.gcc
// RUN: diff %t.clang %t.gcc
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @order__bf16
template <class T> void order(Kernel &k, const Config &) {
  Dim a_len("a_len"), b_len("b_len");
  auto A = k.input<T>("a", {a_len, 64});
  auto B = k.input<T>("b", {b_len, 64});
  auto X = k.inout<f32>("x", {64, 64});
  auto s = k.scalar<f32>("s");
  Axis m("m", 64), n("n", 64), d("d", 64);
  // CHECK: tile.alloc_shared
  // CHECK: tile.alloc_shared
  auto as = k.alloc_shared<T>({m, d}), bs = k.alloc_shared<T>({n, d});
  copy(A(m, d), as);
  copy(B(n, d), bs);
  // CHECK: tile.copy
  // CHECK: tile.copy
  // Left to right, operands first, what is read before anything is written.
  // CHECK: %[[G:.*]] = tile.gemm
  // CHECK: %[[X0:.*]] = tile.load
  // CHECK: %[[X1:.*]] = tile.load
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
  // CHECK: %[[GS:.*]] = arith.mulf %[[G]],
  // CHECK: %[[E:.*]] = math.exp2 %[[X0]]
  // CHECK: %[[GE:.*]] = arith.addf %[[GS]], %[[E]]
  // CHECK: %[[L:.*]] = math.log2 %[[X1]]
  // CHECK: arith.addf %[[GE]], %[[L]]
  // CHECK: tile.store
  auto old = load(X(m, n));
  store((gemm(as, bs) * (s * 3.0) + exp2(load(X(m, n)))) + log2(load(X(m, n))), X(m, n));
  // This value was read before the store and stays before it; nobody uses `unused`.
  // CHECK-NOT: tile.load
  auto unused = load(X(m, n)) * 2.0;
  store(old + 1.0, X(m, n));
  // CHECK: tile.return
}
TILE_KERNEL(order, Config, bf16);

// Two branches on the same text: the second reads again, after the first has written.
// CHECK-LABEL: tile.kernel @conditions__i32
// CHECK: tile.load_scalar
// CHECK: scf.if
// CHECK: tile.store_scalar
// CHECK: tile.load_scalar
// CHECK: scf.if
// CHECK: tile.store_scalar
template <class T> void conditions(Kernel &k, const Config &) {
  auto F = k.inout<T>("f", {1});
  auto B = k.output<T>("b", {1});
  k.when(F(0) != 0, [&] { store(0, F.at({0})); });
  k.when(F(0) != 0, [&] { store(1, B.at({0})); });
}
TILE_KERNEL(conditions, Config, i32);

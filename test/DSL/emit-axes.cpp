// RUN: %dsl %s | FileCheck %s
// Product axes: split, join, rename, take, stack. Axes keep their order of declaration.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @neighbours__f32
template <class T> void neighbours(Kernel &k, const Config &) {
  Axis m("m", 64), pair("pair", 32), side("side", 2);
  Axis d = pair * side;
  auto X = k.inout<T>("x", {64, 64});
  // CHECK: %[[X:.*]] = tile.load %{{.*}} to tensor<64x64xf32>
  // CHECK: %[[P:.*]] = tile.split %[[X]] axis = 1 : tensor<64x64xf32> to tensor<64x32x2xf32>
  auto pairs = split(load(X(m, d)), d);
  // CHECK-DAG: %[[A:.*]] = tile.take %[[P]] axis = 2 at 0 : tensor<64x32x2xf32> to tensor<64x32xf32>
  // CHECK-DAG: %[[B:.*]] = tile.take %[[P]] axis = 2 at 1
  auto a = take(pairs, side, 0), b = take(pairs, side, 1);
  // CHECK: %[[S:.*]] = tile.stack %[[B]], %[[A]] axis = 2 : tensor<64x32xf32> to tensor<64x32x2xf32>
  // CHECK: tile.join %[[S]] axis = 1 : tensor<64x32x2xf32> to tensor<64x64xf32>
  store(join(stack({b, a}, side), d), X(m, d));
}
TILE_KERNEL(neighbours, Config, f32);

// CHECK-LABEL: tile.kernel @order__f32
template <class T> void order(Kernel &k, const Config &) {
  Axis h("h", 4), q("q", 8), n("n", 16);
  Axis qh = q * h; // declared last
  auto X = k.inout<T>("x", {16, 32});
  // CHECK: %[[X:.*]] = tile.load %{{.*}} to tensor<16x32xf32>
  auto x = load(X(n, qh));
  // The factors stand where they are declared: h, q, n.
  // CHECK: %[[S:.*]] = tile.split %[[X]] axis = 1 : tensor<16x32xf32> to tensor<16x8x4xf32>
  // CHECK: %[[P:.*]] = tile.permute %[[S]] dims = [2, 1, 0] : tensor<16x8x4xf32> to tensor<4x8x16xf32>
  auto apart = split(x, qh);
  // CHECK: tile.reduce max %[[P]] axis = 0 : tensor<4x8x16xf32> to tensor<8x16xf32>
  auto best = reduce_max(apart, h);
  // CHECK: %[[D:.*]] = arith.subf
  // CHECK: %[[Q:.*]] = tile.permute %[[D]] dims = [2, 1, 0] : tensor<4x8x16xf32> to tensor<16x8x4xf32>
  // CHECK: tile.join %[[Q]] axis = 1 : tensor<16x8x4xf32> to tensor<16x32xf32>
  store(join(apart - best, qh), X(n, qh));
}
TILE_KERNEL(order, Config, f32);

// CHECK-LABEL: tile.kernel @packed__bf16
template <class T> void packed(Kernel &k, const Config &) {
  Axis q("q", 8), h("h", 16), d("d", 64), e("e", 64);
  Axis qh = q * h;
  Dim len("len");
  auto Q = k.input<T>("q", {len, 16, 64});
  auto O = k.output<T>("o", {len, 16, 64});
  auto [i] = k.grid(ceil_div(len, 8));
  // Rows of a product axis come from two dimensions.
  auto qs = k.alloc_shared<T>({qh, d});
  // CHECK: %[[W:.*]] = tile.window %{{.*}} dims = [0, 1, 2] : {{.*}} to <8x16x64xbf16>
  // CHECK: tile.copy %[[W]], %[[QS:.*]] : !tile.window<8x16x64xbf16> to !tile.shared<128x64xbf16>
  copy(Q(q.at(i), h, d), qs);
  // A shared tile [qh, d] as a fragment [d, qh], since d is declared first.
  // CHECK: %[[L:.*]] = tile.load %[[QS]] : !tile.shared<128x64xbf16> to tensor<128x64xbf16>
  // CHECK: %[[T:.*]] = tile.permute %[[L]] dims = [1, 0] : tensor<128x64xbf16> to tensor<64x128xbf16>
  auto x = load(qs);
  // CHECK: %[[R:.*]] = arith.addf
  // CHECK: tile.split {{.*}} axis = 1 : tensor<64x128xbf16> to tensor<64x8x16xbf16>
  // CHECK: tile.window %{{.*}} dims = [2, 0, 1] : {{.*}} to <64x8x16xbf16>
  // CHECK: tile.store {{.*}} : tensor<64x8x16xbf16> to !tile.window<64x8x16xbf16>
  store(cast<T>(cast<f32>(x) + 1.0), O(q.at(i), h, d));
}
TILE_KERNEL(packed, Config, bf16);

// CHECK-LABEL: tile.kernel @names__f32
template <class T> void names(Kernel &k, const Config &) {
  Axis m("m", 16), n("n", 16), r("r", 16);
  auto X = k.inout<T>("x", {16, 16});
  // A symmetric sum: the second operand's axes change their names, and so their order.
  // CHECK: %[[X:.*]] = tile.load
  // CHECK: %[[P:.*]] = tile.permute %[[X]] dims = [1, 0] : tensor<16x16xf32> to tensor<16x16xf32>
  // CHECK: arith.addf %[[X]], %[[P]]
  auto x = load(X(m, n));
  auto turned = rename(rename(rename(x, m, r), n, m), r, n);
  // CHECK: %[[ROW:.*]] = tile.reduce sum
  // CHECK-NOT: tile.permute
  // CHECK: tile.take %{{.*}} axis = 0 at 3 : tensor<16xf32> to f32
  auto row = rename(reduce_sum(x, n), n);
  store(x + turned + row * take(row, n, 3), X(m, n));
}
TILE_KERNEL(names, Config, f32);

// CHECK-LABEL: tile.kernel @pages__bf16
template <class T> void pages(Kernel &k, const Config &) {
  Axis n("n", 128), page("page", 32), d("d", 64);
  Dim count("count");
  auto K = k.input<T>("k", {count, 32, 64});
  auto table = k.input<i32>("table", {4});
  auto O = k.output<T>("o", {128, 64});
  auto ks = k.alloc_shared<T>({n, d});
  // CHECK: scf.for %[[J:.*]] =
  k.loop(4, [&](Index j) {
    // CHECK: %[[ROW:.*]] = arith.muli %[[J]], %c32_i64
    // CHECK: %[[S:.*]] = tile.slice %{{.*}}[%[[ROW]], %c0_i64{{.*}}] : <128x64xbf16> to <32x64xbf16>
    // CHECK: tile.copy %{{.*}}, %[[S]] : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16>
    copy(K(table(j), page, d), ks.slice(n, j * page.extent(), page));
  });
  copy(ks, O(n, d));
}
TILE_KERNEL(pages, Config, bf16);

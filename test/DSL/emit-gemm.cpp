// RUN: %dsl %s | FileCheck %s
// The product contracts the shared axis; transposes follow from how the tiles lie in memory.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @product__bf16
template <class T> void product(Kernel &k, const Config &) {
  auto O = k.output<f32>("o", {5, 64, 32});
  Axis m("m", 64), n("n", 32), c("c", 16);
  // CHECK: %[[MC:.*]] = tile.alloc_shared : <64x16xbf16>
  // CHECK: %[[CM:.*]] = tile.alloc_shared : <16x64xbf16>
  // CHECK: %[[CN:.*]] = tile.alloc_shared : <16x32xbf16>
  // CHECK: %[[NC:.*]] = tile.alloc_shared : <32x16xbf16>
  auto mc = k.alloc_shared<T>({m, c});
  auto cm = k.alloc_shared<T>({c, m});
  auto cn = k.alloc_shared<T>({c, n});
  auto nc = k.alloc_shared<T>({n, c});
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
  // CHECK: tile.gemm %[[MC]], %[[CN]], %[[Z]] : !tile.shared<64x16xbf16>, <16x32xbf16>, tensor<64x32xf32>
  store(gemm(mc, cn), O(0, m, n));
  // CHECK: tile.gemm %[[MC]], %[[NC]], %{{.*}} {transpose_b}
  store(gemm(mc, nc), O(1, m, n));
  // CHECK: tile.gemm %[[CM]], %[[NC]], %{{.*}} {transpose_a, transpose_b}
  store(gemm(cm, nc), O(2, m, n));
  // The result is [m, n] also when the operands come in the other order.
  // CHECK: tile.gemm %[[MC]], %[[CN]], %{{.*}} : {{.*}} tensor<64x32xf32>
  store(gemm(cn, mc), O(3, m, n));
  // The first operand from registers; the accumulator is what was there, with its axes added.
  // CHECK: %[[A:.*]] = tile.load %[[MC]]
  // CHECK: %[[ROW:.*]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
  // CHECK: %[[ACC:.*]] = tile.broadcast %[[ROW]] dims = [0] : tensor<64xf32> to tensor<64x32xf32>
  // CHECK: tile.gemm %[[A]], %[[CN]], %[[ACC]] : tensor<64x16xbf16>, <16x32xbf16>, tensor<64x32xf32>
  store(gemm(load(mc), cn, k.fragment<f32>({m}, 1.0)), O(4, m, n));
}
TILE_KERNEL(product, Config, bf16);

// Each run of rows by its own matrix; the first axis of the second tile numbers them.
// CHECK-LABEL: tile.kernel @grouped__bf16
template <class T> void grouped(Kernel &k, const Config &) {
  auto O = k.output<f32>("o", {4, 128, 32});
  Axis g("g", 2), m("m", 128), n("n", 32), c("c", 16);
  // CHECK: %[[MC:.*]] = tile.alloc_shared : <128x16xbf16>
  // CHECK: %[[CM:.*]] = tile.alloc_shared : <16x128xbf16>
  // CHECK: %[[GNC:.*]] = tile.alloc_shared : <2x32x16xbf16>
  // CHECK: %[[GCN:.*]] = tile.alloc_shared : <2x16x32xbf16>
  auto mc = k.alloc_shared<T>({m, c}), cm = k.alloc_shared<T>({c, m});
  auto gnc = k.alloc_shared<T>({g, n, c}), gcn = k.alloc_shared<T>({g, c, n});
  // CHECK: tile.gemm %[[MC]], %[[GNC]], %{{.*}} {transpose_b} : !tile.shared<128x16xbf16>, <2x32x16xbf16>, tensor<128x32xf32>
  store(grouped_gemm(mc, gnc), O(0, m, n));
  // CHECK: tile.gemm %[[CM]], %[[GCN]], %{{.*}} {transpose_a} : !tile.shared<16x128xbf16>, <2x16x32xbf16>, tensor<128x32xf32>
  store(grouped_gemm(cm, gcn), O(1, m, n));
  // CHECK: %[[A:.*]] = tile.load %[[MC]]
  // CHECK: tile.gemm %[[A]], %[[GCN]], %{{.*}} : tensor<128x16xbf16>, <2x16x32xbf16>, tensor<128x32xf32>
  store(grouped_gemm(load(mc), gcn), O(2, m, n));
  // CHECK: %[[ACC:.*]] = tile.broadcast
  // CHECK: tile.gemm %{{.*}}, %[[GNC]], %[[ACC]] {transpose_b}
  store(grouped_gemm(load(mc), gnc, k.fragment<f32>({m}, 1.0)), O(3, m, n));
}
TILE_KERNEL(grouped, Config, bf16);

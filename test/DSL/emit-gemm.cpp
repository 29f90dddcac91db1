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

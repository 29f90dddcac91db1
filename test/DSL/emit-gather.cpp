// RUN: %dsl %s | FileCheck %s
// Rows and elements at index tiles: loads, copies and stores, of tensors and of shared tiles.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK-LABEL: tile.kernel @gathers__f32
// CHECK-SAME: (%[[X:.*]]: !tile.global<2x?x64xf32>, %[[I:.*]]: !tile.global<32xi32>, %[[Y:.*]]: !tile.global<?x64xf32>
template <class T> void gathers(Kernel &k, const Config &) {
  Dim rows("rows");
  auto X = k.input<T>("x", {2, rows, 64});
  auto I = k.input<i32>("i", {32});
  auto Y = k.output<T>("y", {rows, 64});
  Axis m("m", 32), d("d", 64), e("e", 16);
  k.grid(1);
  // CHECK: %[[ROWS:.*]] = tile.load {{.*}} to tensor<32xi32>
  auto index = load(I(m));
  // The index's axis runs over the dimension that it stands for, from 0.
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: %[[W:.*]] = tile.window %[[X]][%[[ONE]], %{{.*}}, %{{.*}}] dims = [1, 2] : <2x?x64xf32> to <32x64xf32>
  // CHECK: %[[R:.*]] = tile.gather %[[W]][%[[ROWS]]] axis = 0 : !tile.window<32x64xf32>, tensor<32xi32> to tensor<32x64xf32>
  auto picked = load(X(1, index, d));
  // CHECK: %[[MASK:.*]] = arith.cmpi ne, %[[ROWS]]
  // CHECK: tile.scatter %[[R]], %{{.*}}[%[[ROWS]]] axis = 0 where %[[MASK]] : tensor<32xi1> : tensor<32x64xf32>, tensor<32xi32> to !tile.window<32x64xf32>
  store(picked, Y(index, d).where(index != 3));

  // In the memory order of the shared tile.
  // CHECK: %[[S:.*]] = tile.alloc_shared : <64x32xf32>
  // CHECK: tile.window %[[X]]{{.*}} dims = [2, 1]
  // CHECK: tile.gather_copy %{{.*}}[%[[ROWS]]], %[[S]] axis = 1 pad -1.000000e+00 : f32 : <64x32xf32>, tensor<32xi32> to <64x32xf32>
  auto turned = k.alloc_shared<T>({d, m});
  copy(X(0, index, d), turned, -1.0);

  // One index for each element, of a table in shared memory.
  // CHECK: %[[TABLE:.*]] = tile.alloc_shared : <16x64xf32>
  // CHECK: %[[EACH:.*]] = arith.addi {{.*}} : tensor<32x64xi32>
  // CHECK: %[[V:.*]] = tile.gather %[[TABLE]][%[[EACH]]] axis = 0 pad 2.000000e+00 : f32 : !tile.shared<16x64xf32>, tensor<32x64xi32> to tensor<32x64xf32>
  // CHECK: tile.scatter %[[V]], %[[TABLE]][%{{.*}}] axis = 0 : tensor<32x64xf32>, tensor<32xi64> to !tile.shared<16x64xf32>
  auto table = k.alloc_shared<T>({e, d});
  copy(X(0, e, d), table);
  auto looked = load(table(index + k.iota(d), d), 2.0);
  store(looked, table(cast<i64>(index), d));
}
TILE_KERNEL(gathers, Config, f32);

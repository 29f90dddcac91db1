// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @scans
func.func @scans(%x: tensor<8x64xi32>, %f: tensor<64xf32>, %s: tensor<8x4xi32>) {
  // CHECK: tile.scan sum %{{.*}} axis = 1 : tensor<8x64xi32>
  %0 = tile.scan sum %x axis = 1 : tensor<8x64xi32>
  // CHECK: tile.scan max %{{.*}} axis = 0 {exclusive, reverse} : tensor<64xf32>
  %1 = tile.scan max %f axis = 0 {exclusive, reverse} : tensor<64xf32>
  // CHECK: tile.scan sum %{{.*}} from %{{.*}} : tensor<8x4xi32> axis = 1 : tensor<8x64xi32>
  %2 = tile.scan sum %x from %s : tensor<8x4xi32> axis = 1 : tensor<8x64xi32>
  // CHECK: tile.reduce argmax %{{.*}} axis = 1 : tensor<8x64xi32> to tensor<8xi32>
  %3 = tile.reduce argmax %x axis = 1 : tensor<8x64xi32> to tensor<8xi32>
  return
}

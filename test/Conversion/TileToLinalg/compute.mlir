// RUN: tile-opt --convert-tile-to-linalg %s | FileCheck %s

// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>

// Both operands become row-major f32; the copy of a shared operand stands where the product does.
// CHECK-LABEL: func.func private @gemm(
tile.kernel @gemm() {
  // CHECK: %[[B:[a-z0-9_]+]] = memref.alloc() {{.*}} : memref<8x32xbf16>
  %a = arith.constant dense<1.0> : tensor<16x32xbf16>
  %b = tile.alloc_shared : !tile.shared<8x32xbf16>
  %acc = arith.constant dense<0.0> : tensor<16x8xf32>
  // CHECK: %[[A32:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]]], {{.*}}} ins(%{{.*}} : tensor<16x32xbf16>)
  // CHECK:   arith.extf
  // CHECK: %[[FRESH:[a-z0-9_]+]] = memref.alloc() {{.*}} : memref<32x8xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[SWAP]], #[[ID]]], {{.*}}} ins(%[[B]] : memref<8x32xbf16>) outs(%[[FRESH]]
  // CHECK: %[[B32:[a-z0-9_]+]] = bufferization.to_tensor %[[FRESH]] restrict writable
  // CHECK: %[[R:[a-z0-9_]+]] = linalg.matmul ins(%[[A32]], %[[B32]] : {{.*}}) outs(%{{.*}} : tensor<16x8xf32>)
  %r = tile.gemm %a, %b, %acc {transpose_b} : tensor<16x32xbf16>, !tile.shared<8x32xbf16>, tensor<16x8xf32>
  %s = tile.alloc_shared : !tile.shared<16x8xf32>
  tile.store %r, %s : tensor<16x8xf32> to !tile.shared<16x8xf32>
  tile.return
}

// NaN is what a maximum starts from: it loses to every number, and stays if there is none.
// CHECK-LABEL: func.func private @reduce(
tile.kernel @reduce(%y: !tile.global<?xf32>) {
  %c0 = arith.constant 0 : i64
  %x = arith.constant dense<1.0> : tensor<16x8xf32>
  // CHECK: %[[NAN:[a-z0-9_]+]] = arith.constant 0x7FC00000 : f32
  // CHECK: linalg.fill ins(%[[NAN]]
  // CHECK: %[[M:[a-z0-9_]+]] = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]]], iterator_types = ["parallel", "reduction"]}
  // CHECK:   arith.maxnumf
  %m = tile.reduce max %x axis = 1 : tensor<16x8xf32> to tensor<16xf32>
  // CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[M]]
  // CHECK:   arith.addf %{{.*}}, %{{.*}} fastmath<reassoc>
  // CHECK: %[[S:[a-z0-9_]+]] = tensor.extract
  %s = tile.reduce sum %m axis = 0 : tensor<16xf32> to f32
  tile.store_scalar %s, %y[%c0] : f32 to !tile.global<?xf32>
  tile.return
}

// CHECK-LABEL: func.func private @shapes(
// CHECK-SAME: %[[N:[a-z0-9_]+]]: i32, %[[ID_ARG:[a-z0-9_]+]]: i64
tile.kernel @shapes(%n: i32) {
  // CHECK: linalg.generic
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: %[[I:[a-z0-9_]+]] = linalg.index 0 : index
  // CHECK-NEXT: arith.index_cast %[[I]] : index to i32
  %i = tile.iota : tensor<8xi32>
  // CHECK: linalg.generic {indexing_maps = [#[[COLUMN]], #[[ID]]]
  %b = tile.broadcast %i dims = [1] : tensor<8xi32> to tensor<4x8xi32>
  // CHECK: linalg.fill ins(%[[N]] : i32)
  %c = tile.broadcast %n dims = [] : i32 to tensor<4x8xi32>
  %sum = arith.addi %b, %c : tensor<4x8xi32>
  // A scalar condition is repeated: only ops on tensors alone count as elementwise.
  // CHECK: %[[COND:[a-z0-9_]+]] = linalg.fill ins(%{{.*}} : i1) {{.*}} -> tensor<4x8xi1>
  // CHECK: arith.select %[[COND]]
  %c5 = arith.constant 5 : i32
  %less = arith.cmpi slt, %n, %c5 : i32
  %r = arith.select %less, %sum, %c : tensor<4x8xi32>
  %s = tile.alloc_shared : !tile.shared<4x8xi32>
  tile.store %r, %s : tensor<4x8xi32> to !tile.shared<4x8xi32>
  tile.return
}

// Masks are combined as bytes, which LLVM loads in vectors.
// CHECK-LABEL: func.func private @masks(
tile.kernel @masks(%x: f32, %y: f32) {
  %a = tile.broadcast %x dims = [] : f32 to tensor<16x8xf32>
  %b = tile.broadcast %y dims = [] : f32 to tensor<16x8xf32>
  %less = arith.cmpf olt, %a, %b : tensor<16x8xf32>
  // CHECK: %[[BYTES:.*]] = arith.extui %{{.*}} : tensor<16x8xi1> to tensor<16x8xi8>
  // CHECK: linalg.generic {{.*}} ins(%[[BYTES]] : tensor<16x8xi8>)
  // CHECK: arith.andi %{{.*}}, %{{.*}} : i8
  // CHECK: arith.trunci %{{.*}} : tensor<16xi8> to tensor<16xi1>
  %rows = tile.reduce all %less axis = 1 : tensor<16x8xi1> to tensor<16xi1>
  // CHECK: arith.extui %{{.*}} : tensor<16xi1> to tensor<16xi8>
  // CHECK: arith.ori %{{.*}}, %{{.*}} : i8
  // CHECK: arith.trunci %{{.*}} : i8 to i1
  %any = tile.reduce any %rows axis = 0 : tensor<16xi1> to i1
  tile.check %any "any" : i1
  tile.return
}

// Each run of 8 rows by its own matrix.
// CHECK-LABEL: func.func private @grouped(
tile.kernel @grouped() {
  // CHECK: %[[B:[a-z0-9_]+]] = memref.alloc() {{.*}} : memref<2x8x32xbf16>
  %a = arith.constant dense<1.0> : tensor<16x32xbf16>
  %b = tile.alloc_shared : !tile.shared<2x8x32xbf16>
  %acc = arith.constant dense<0.0> : tensor<16x8xf32>
  // CHECK: %[[FRESH:[a-z0-9_]+]] = memref.alloc() {{.*}} : memref<2x32x8xf32>
  // CHECK: linalg.generic {{.*}} ins(%[[B]] : memref<2x8x32xbf16>) outs(%[[FRESH]] : memref<2x32x8xf32>)
  // CHECK: %[[B32:[a-z0-9_]+]] = bufferization.to_tensor %[[FRESH]] restrict writable
  // CHECK-DAG: %[[SUMS:[a-z0-9_]+]] = tensor.expand_shape {{.*}} : tensor<16x8xf32> into tensor<2x8x8xf32>
  // CHECK-DAG: %[[RUNS:[a-z0-9_]+]] = tensor.expand_shape {{.*}} : tensor<16x32xf32> into tensor<2x8x32xf32>
  // CHECK: %[[R:[a-z0-9_]+]] = linalg.batch_matmul ins(%[[RUNS]], %[[B32]] : {{.*}}) outs(%[[SUMS]] : tensor<2x8x8xf32>)
  // CHECK: tensor.collapse_shape %[[R]] {{.*}} : tensor<2x8x8xf32> into tensor<16x8xf32>
  %r = tile.gemm %a, %b, %acc {transpose_b} : tensor<16x32xbf16>, !tile.shared<2x8x32xbf16>, tensor<16x8xf32>
  %s = tile.alloc_shared : !tile.shared<16x8xf32>
  tile.store %r, %s : tensor<16x8xf32> to !tile.shared<16x8xf32>
  tile.return
}

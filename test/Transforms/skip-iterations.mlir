// RUN: tile-opt %s -tile-skip-iterations | FileCheck %s

#launch = {dims = ["n"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "bits", kind = "tensor", access = "in", dtype = "i32", extents = ["n"]},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

// The iterations that are taken are counted; the loop runs over them and carries which one it is.
// CHECK-LABEL: tile.kernel @guarded
// CHECK: %[[N:.*]] = tile.dim "n"
// CHECK: %[[COUNT:.*]] = scf.for {{.*}} = %c0{{.*}} to %[[N]] step %c8{{.*}} iter_args(%[[SUM:.*]] = %c0{{.*}}) -> (i64)
// CHECK: tile.load_scalar %arg1
// CHECK: %[[SET:.*]] = arith.cmpi ne
// CHECK: %[[ONE:.*]] = arith.extui %[[SET]]
// CHECK: %[[SO_FAR:.*]] = arith.addi %[[SUM]], %[[ONE]]
// Of the seven others, those past the end do not count, whatever the condition says there.
// CHECK: %[[SECOND:.*]] = tile.load_scalar %arg1[%[[PLACE:.*]]]
// CHECK: %[[SET2:.*]] = arith.cmpi ne, %[[SECOND]],
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[PLACE]], %[[N]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[SET2]]
// CHECK: %[[TWO:.*]] = arith.extui %[[BOTH]]
// CHECK: arith.addi %[[SO_FAR]], %[[TWO]]
// CHECK-COUNT-6: tile.load_scalar %arg1
// CHECK: %[[FIRST:.*]] = scf.while (%{{.*}} = %c0{{.*}})
// CHECK: scf.for {{.*}} = %c0{{.*}} to %[[COUNT]] step %c1{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[AT:.*]] = %[[FIRST]])
// CHECK-NOT: scf.if
// CHECK: %[[ROW:.*]] = arith.muli %[[AT]], %c64
// CHECK: tile.window %arg0[%[[ROW]],
// CHECK: tile.copy
// CHECK: %[[NEXT:.*]] = tile.gemm %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK: %[[AFTER:.*]] = arith.addi %[[AT]], %c1
// CHECK: %[[FOUND:.*]] = scf.while (%[[HERE:.*]] = %[[AFTER]])
// CHECK: arith.cmpi slt, %[[HERE]], %[[N]]
// CHECK: tile.load_scalar %arg1[%[[HERE]]]
// CHECK: scf.yield %[[NEXT]], %[[FOUND]]
// CHECK: tile.pipeline = #tile.pipeline<stages = 2>
tile.kernel @guarded(%x: !tile.global<?x64xbf16>, %bits: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %none = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.dim "n"
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %bit = tile.load_scalar %bits[%i] : !tile.global<?xi32> to i32
    %set = arith.cmpi ne, %bit, %none : i32
    %b = scf.if %set -> (tensor<64x64xf32>) {
      %row = arith.muli %i, %c64 : i64
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } else {
      scf.yield %a : tensor<64x64xf32>
    }
    scf.yield %b : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// What is not taken is seen: another branch, a value that goes on, an effect, a condition that the loop
// computes. These stay.
// CHECK-LABEL: tile.kernel @seen
// CHECK-NOT: scf.while
// CHECK-COUNT-4: scf.if
// CHECK-NOT: scf.while
// CHECK: tile.return
tile.kernel @seen(%x: !tile.global<?x64xbf16>, %bits: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.dim "n"
  %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %bit = tile.load_scalar %bits[%i] : !tile.global<?xi32> to i32
    %set = arith.cmpi ne, %bit, %none : i32
    %b = scf.if %set -> (tensor<64x64xf32>) {
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } else {
      scf.yield %zero : tensor<64x64xf32>
    }
    scf.yield %b : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %q, %steps = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r, %count = %c0) -> (tensor<64x64xf32>, i64) : i64 {
    %bit = tile.load_scalar %bits[%i] : !tile.global<?xi32> to i32
    %set = arith.cmpi ne, %bit, %none : i32
    %b = scf.if %set -> (tensor<64x64xf32>) {
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } else {
      scf.yield %a : tensor<64x64xf32>
    }
    %more = arith.addi %count, %c1 : i64
    scf.yield %b, %more : tensor<64x64xf32>, i64
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %p = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %q) -> (tensor<64x64xf32>) : i64 {
    %bit = tile.load_scalar %bits[%i] : !tile.global<?xi32> to i32
    %set = arith.cmpi ne, %bit, %none : i32
    tile.store %a, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
    %b = scf.if %set -> (tensor<64x64xf32>) {
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } else {
      scf.yield %a : tensor<64x64xf32>
    }
    scf.yield %b : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p) -> (tensor<64x64xf32>) : i64 {
    %top = tile.reduce max %a axis = 1 : tensor<64x64xf32> to tensor<64xf32>
    %one = tile.reduce max %top axis = 0 : tensor<64xf32> to f32
    %whole = arith.fptosi %one : f32 to i32
    %set = arith.cmpi ne, %whole, %none : i32
    %b = scf.if %set -> (tensor<64x64xf32>) {
      %s = tile.alloc_shared : !tile.shared<64x64xbf16>
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
      %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } else {
      scf.yield %a : tensor<64x64xf32>
    }
    scf.yield %b : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.store %t, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

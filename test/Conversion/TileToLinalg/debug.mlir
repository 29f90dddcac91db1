// RUN: tile-opt %s --convert-tile-to-linalg | FileCheck %s
// RUN: tile-opt %s --tile-to-host | FileCheck %s --check-prefix=LLVM

// CHECK-DAG: llvm.func @printf(!llvm.ptr, ...) -> i32
// CHECK-DAG: llvm.mlir.global internal constant @[[TEXT:.*]]("t[%d] = %.9g (CTA %lld)\0A\00")

// The number of CTAs and where to report come behind the dimensions.
// CHECK: func.func private @k(%{{.*}}: f32, %[[LAST:.*]]: i64, %[[N:.*]]: i64, %{{.*}}: !llvm.ptr, %[[ID:.*]]: i64)
// CHECK-SAME: tilec.host_grid, tilec.host_report
// CHECK: llvm.mlir.addressof @[[TEXT]]
// CHECK: scf.for
// CHECK:   %[[X:.*]] = tensor.extract
// CHECK:   %[[D:.*]] = arith.extf %[[X]] : f32 to f64
// CHECK:   llvm.call @printf(%{{.*}}, %{{.*}}, %[[D]], %[[ID]]) vararg
// CHECK: scf.for %{{.*}} = %[[ID]] to %[[LAST]] step %[[N]]
// CHECK:   scf.for
// CHECK:     cf.assert %{{.*}}, "debug.mlir:[[# @LINE + 31]]: check failed: small"

// The first message goes to the report, with the CTA's number; then the CTA ends.
// LLVM-LABEL: llvm.func internal @k.cta(
// LLVM-SAME: %[[REPORT:[a-z0-9]+]]: !llvm.ptr, %[[CTA:[a-z0-9]+]]: i64)
// Each buffer has a node in front, in a ring that starts in the frame: 8 bytes and 64.
// LLVM: %[[LIST:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// LLVM: llvm.store %[[LIST]], %[[LIST]]
// LLVM: llvm.getelementptr %{{.*}}[72]
// LLVM: llvm.call @aligned_alloc
// LLVM: llvm.store %[[NODE:.*]], %[[LIST]]
// LLVM: llvm.call @free
// What a failed check leaves behind is freed node by node.
// LLVM: ^[[END:bb[0-9]+]]:
// LLVM-NEXT: llvm.return
// LLVM: ^[[RELEASE:bb[0-9]+]]:
// LLVM: %[[FIRST:.*]] = llvm.load %[[LIST]]
// LLVM: llvm.cond_br %{{.*}}, ^[[END]], ^[[NEXT:bb[0-9]+]]
// LLVM: ^[[NEXT]]:
// LLVM: llvm.call @free(%[[FIRST]])
// LLVM-NEXT: llvm.br ^[[RELEASE]]
// LLVM: llvm.cmpxchg %[[REPORT]], %{{.*}}, %{{.*}} acq_rel monotonic : !llvm.ptr
// LLVM: llvm.getelementptr %[[REPORT]][1]
// LLVM: llvm.store %[[CTA]]
tile.kernel @k(%x: f32, %last: i64) attributes {tile.launch = {dims = []}} {
  %t = tile.broadcast %x dims = [] : f32 to tensor<8xf32>
  tile.print %t "t" : tensor<8xf32>
  %id = tile.program_id
  %n = tile.num_programs
  scf.for %i = %id to %last step %n : i64 {
    %small = arith.cmpf olt, %t, %t : tensor<8xf32>
    tile.check %small "small" : tensor<8xi1>
  }
  tile.return
}

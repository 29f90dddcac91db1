// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s
// RUN: tile-opt %s --sm-to-llvm | FileCheck %s --check-prefix=LLVM

/// The launch description stays on the kernel down to LLVM.
// CHECK: llvm.mlir.global external @tilec_dynamic_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @bounds_and_attributes
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// CHECK-SAME: nvvm.kernel, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 256>
// CHECK-SAME: tile.launch = {dims = ["n"]}
// CHECK-SAME: tile.shared_bytes = 4096
// LLVM-LABEL: llvm.func @bounds_and_attributes
// LLVM-SAME: tile.launch = {dims = ["n"]}
func.func @bounds_and_attributes(%x: i64, %map: !sm.tensor_map)
    attributes {tile.num_warps = 8 : i64, tile.shared_bytes = 4096 : i64, tile.ctas_per_sm = 2 : i64,
                tile.launch = {dims = ["n"]}} {
  // CHECK: %[[SHARED:.*]] = llvm.mlir.addressof @tilec_dynamic_shared
  // CHECK: %[[BASE:.*]] = llvm.ptrtoint %[[SHARED]] : !llvm.ptr<3> to i32
  %base = sm.shared_base
  // CHECK: llvm.inttoptr %[[BASE]] : i32 to !llvm.ptr<3>
  %v = sm.load_shared %base : f32
  sm.store_global %v, %x : f32
  // CHECK: llvm.return
  return
}

/// Control flow of every kind ends in branches; vectors are carried by loops.
// LLVM-LABEL: llvm.func @control_flow
// LLVM-NOT: scf.
// LLVM: llvm.cond_br
// LLVM: llvm.fadd {{.*}} : vector<64xf32>
func.func @control_flow(%out: i64, %n: i64) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %init = arith.constant dense<1.0> : vector<64xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> vector<64xf32> : i64 {
    %next = arith.addf %acc, %init : vector<64xf32>
    scf.yield %next : vector<64xf32>
  }
  %x = vector.extract %sum[3] : f32 from vector<64xf32>
  sm.store_global %x, %out : f32
  return
}

/// Counters of work items are the module's, all 0 when it is loaded. The address of one is an argument like
/// any other.
// CHECK-LABEL: llvm.func @draws
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.return
// CHECK-NEXT: }
// CHECK-NEXT: llvm.mlir.global external @tile_item_counters(dense<0> : tensor<4096xi32>) {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<4096 x i32>
func.func @draws(%x: i64, %n: i64, %counter: i64)
    attributes {tile.num_warps = 1 : i64, tile.launch = {dims = ["n"], counter}} {
  %last = arith.trunci %n : i64 to i32
  %number = sm.atomic_global inc relaxed gpu %last, %counter : i32 -> i32
  sm.store_global %number, %x : i32
  return
}

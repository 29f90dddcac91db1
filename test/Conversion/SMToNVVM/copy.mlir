// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

/// Short elements travel as words, so that each access is one instruction.
// CHECK-LABEL: llvm.func @accesses
func.func @accesses(%g: i64, %s: i32) attributes {tile.num_warps = 4 : i64} {
  // CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK: llvm.bitcast %[[V]] : vector<4xi32> to vector<8xbf16>
  %v = sm.load_global %g : vector<8xbf16>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  sm.store_shared %v, %s : vector<8xbf16>
  // CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
  // CHECK: llvm.bitcast %{{.*}} : i16 to bf16
  %x = sm.load_shared %s : bf16
  sm.store_shared %x, %s : bf16
  // CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
  %f = sm.load_shared %s : vector<2xf32>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
  sm.store_global %f, %g : vector<2xf32>
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  // CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<16xi8>
  %e = sm.load_shared %s : vector<16xf8E4M3FN>
  sm.store_global %e, %g : vector<16xf8E4M3FN>
  return
}

// CHECK-LABEL: llvm.func @asynchronous
func.func @asynchronous(%s: i32, %g: i64, %n: i32) attributes {tile.num_warps = 4 : i64} {
  // CHECK: llvm.inline_asm has_side_effects {{.*}}"cp.async.cg.shared.global [$0], [$1], 16, $2;", "r,l,r"
  sm.cp_async %s, %g, %n {bytes = 16 : i64}
  // CHECK: "cp.async.ca.shared.global [$0], [$1], 4, $2;", "r,l,r"
  sm.cp_async %s, %g, %n {bytes = 4 : i64}
  // CHECK: "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"
  %all = arith.constant 16 : i32
  sm.cp_async %s, %g, %all {bytes = 16 : i64}
  // CHECK: "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];", "r" %arg0
  sm.cp_async_arrive %s
  // CHECK: nvvm.cp.async.commit.group
  sm.cp_async_commit
  // CHECK: nvvm.cp.async.wait.group 2
  sm.cp_async_wait {pending = 2 : i64}
  return
}

// A constant that was added to an address is part of the instruction.
// CHECK-LABEL: llvm.func @offsets
// CHECK-SAME: (%[[S:[^:]*]]: i32, %[[G:[^:]*]]: i64, %[[N:[^:]*]]: i32
func.func @offsets(%s: i32, %g: i64, %n: i32) attributes {tile.num_warps = 4 : i64} {
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i64
  %s16 = arith.addi %s, %c16 : i32
  %g64 = arith.addi %g, %c64 : i64
  // CHECK: "cp.async.cg.shared.global [$0+16], [$1+64], 16, $2;", "r,l,r" %[[S]], %[[G]], %[[N]] :
  sm.cp_async %s16, %g64, %n {bytes = 16 : i64}
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[S]] : i32 to !llvm.ptr<3>
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][16]
  // CHECK: llvm.load %[[Q]]
  %v = sm.load_shared %s16 : f32
  // CHECK: %[[T:.*]] = llvm.inttoptr %[[G]] : i64 to !llvm.ptr<1>
  // CHECK: %[[U:.*]] = llvm.getelementptr %[[T]][64]
  // CHECK: llvm.store %{{.*}}, %[[U]]
  sm.store_global %v, %g64 : f32
  return
}

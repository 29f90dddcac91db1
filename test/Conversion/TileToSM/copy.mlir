// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s


// 128 threads, 8 chunks of 16 bytes per row: 16 rows per step, two steps. Inside the window nothing
// is tested per thread; at its edge rows that are not there copy 0 bytes and are filled.
// CHECK-LABEL: func.func @window_to_shared(
// CHECK-SAME: %[[X:.*]]: i64, %[[N:.*]]: i64, %{{.*}}: i64, %[[STRIDE:.*]]: i64, %[[ROW0:.*]]: i64,
// CHECK-DAG: %[[THREAD:.*]] = sm.thread_id
// CHECK-DAG: %[[SHARED:.*]] = sm.shared_base
// CHECK-DAG: %[[BYTES:.*]] = arith.shli %[[STRIDE]], %c1_i64
// CHECK: scf.if
// CHECK:   %[[R:.*]] = arith.shrui %[[THREAD]], %c3_i32
// CHECK:   %[[C:.*]] = arith.andi %[[THREAD]], %c7_i32
// CHECK:   %[[PHASE:.*]] = arith.andi %[[R]], %c7_i32
// CHECK:   %[[PHASE16:.*]] = arith.shli %[[PHASE]], %c4_i32
// CHECK:   %[[CHUNK:.*]] = arith.xori %{{.*}}, %[[PHASE16]]
// CHECK:   %[[LINE:.*]] = arith.shli %[[R]], %c7_i32
// CHECK:   %[[T0:.*]] = arith.addi %{{.*}}, %[[LINE]]
// CHECK:   %[[T:.*]] = arith.addi %[[T0]], %[[CHUNK]]
// CHECK:   sm.cp_async %[[T]], %[[S:.*]], %c16_i32 {bytes = 16 : i64}
// CHECK:   %[[T16:.*]] = arith.addi %[[T]], %c2048_i32
// CHECK:   %[[STEP:.*]] = arith.shli %[[BYTES]], %c4_i64
// CHECK:   %[[S16:.*]] = arith.addi %[[S]], %[[STEP]]
// CHECK:   sm.cp_async %[[T16]], %[[S16]], %c16_i32 {bytes = 16 : i64}
// CHECK-NOT: sm.cp_async
// CHECK: } else {
// CHECK:   %[[R:.*]] = arith.shrui %[[THREAD]], %c3_i32
// CHECK:   %[[ROOM:.*]] = arith.subi %{{.*}}, %[[R]]
// CHECK:   %[[BELOW:.*]] = arith.cmpi sgt, %[[ROOM]], %c0_i32
// CHECK:   %[[SKIP:.*]] = arith.subi %{{.*}}, %[[R]]
// CHECK:   %[[ABOVE:.*]] = arith.cmpi sle, %[[SKIP]], %c0_i32
// CHECK:   %[[THERE:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK:   %[[SIZE:.*]] = arith.select %[[THERE]], %c16_i32, %c0_i32
// CHECK:   sm.cp_async %{{.*}}, %{{.*}}, %[[SIZE]] {bytes = 16 : i64}
// CHECK:   sm.cp_async
// CHECK-NOT: sm.cp_async %
// CHECK: sm.cp_async_commit
tile.kernel @window_to_shared(%x: !tile.global<?x64xbf16>, %row: i64)
    attributes {tile.num_warps = 4 : i64, tile.launch = {dims = ["rows"], params = [{name = "x", kind = "tensor", dtype = "bf16", aligned, extents = ["rows", "64"]}]}} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 1024 : !tile.shared<32x64xbf16, #tile.swizzle<128>>
  %w = tile.window %x[%row, %zero] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  tile.copy %w, %s : !tile.window<32x64xbf16> to !tile.shared<32x64xbf16, #tile.swizzle<128>>
  tile.return
}

// Not known to be aligned: 16-byte chunks if that holds at run time and all is there, else elements.
// CHECK-LABEL: func.func @unaligned
// CHECK: %[[BITS:.*]] = arith.andi %{{.*}}, %c15_i64
// CHECK: arith.cmpi eq, %[[BITS]], %c0_i64
// CHECK: scf.if
// CHECK:   sm.cp_async %{{.*}}, %{{.*}}, %c16_i32
// CHECK: } else {
// CHECK-COUNT-8: sm.load_global %{{.*}} : bf16
// CHECK:   vector.from_elements {{.*}} : vector<8xbf16>
// CHECK:   sm.store_shared %{{.*}}, %{{.*}} : vector<8xbf16>
// CHECK: sm.cp_async_commit
tile.kernel @unaligned(%x: !tile.global<?x?xbf16>, %row: i64) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %w = tile.window %x[%row, %zero] dims = [0, 1] : !tile.global<?x?xbf16> to !tile.window<16x64xbf16>
  tile.copy %w, %s : !tile.window<16x64xbf16> to !tile.shared<16x64xbf16, #tile.swizzle<128>>
  tile.return
}

// What is not there reads as the pad value in shared memory too.
// CHECK-LABEL: func.func @pad
// CHECK: scf.if
// CHECK:   sm.cp_async
// CHECK: } else {
// CHECK:   scf.if
// CHECK:     sm.load_global %{{.*}} : bf16
// CHECK:   } else {
// CHECK:     scf.yield %[[PAD:cst.*]] : bf16
// CHECK:   sm.store_shared
tile.kernel @pad(%x: !tile.global<?x64xbf16>, %row: i64) attributes {tile.num_warps = 4 : i64, tile.launch = {dims = ["rows"], params = [{name = "x", kind = "tensor", dtype = "bf16", aligned, extents = ["rows", "64"]}]}} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %w = tile.window %x[%row, %zero] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<16x64xbf16>
  tile.copy %w, %s pad 1.0 : bf16 : !tile.window<16x64xbf16> to !tile.shared<16x64xbf16, #tile.swizzle<128>>
  tile.return
}

// Columns of the tensor as rows of the tile: element by element.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: sm.cp_async %
// CHECK: sm.load_global %{{.*}} : bf16
// CHECK: sm.store_shared %{{.*}}, %{{.*}} : vector<8xbf16>
tile.kernel @transposed(%x: !tile.global<64x16xbf16>) attributes {tile.num_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %w = tile.window %x[%zero, %zero] dims = [1, 0] : !tile.global<64x16xbf16> to !tile.window<16x64xbf16>
  tile.copy %w, %s : !tile.window<16x64xbf16> to !tile.shared<16x64xbf16, #tile.swizzle<128>>
  tile.return
}

// CHECK-LABEL: func.func @shared_to_window
// CHECK: scf.if
// CHECK:   %[[A:.*]] = sm.load_shared %{{.*}} : vector<8xbf16>
// CHECK:   sm.store_global %[[A]], %{{.*}} : vector<8xbf16>
// CHECK: } else {
// CHECK:   %[[B:.*]] = sm.load_shared %{{.*}} : vector<8xbf16>
// CHECK:   scf.if
// CHECK:     sm.store_global %[[B]], %{{.*}} : vector<8xbf16>
tile.kernel @shared_to_window(%x: !tile.global<?x64xbf16>, %row: i64)
    attributes {tile.num_warps = 4 : i64, tile.launch = {dims = ["rows"], params = [{name = "x", kind = "tensor", dtype = "bf16", aligned, extents = ["rows", "64"]}]}} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc_shared at 0 : !tile.shared<64x64xbf16, #tile.swizzle<128>>
  %w = tile.window %x[%row, %zero] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %s, %w : !tile.shared<64x64xbf16, #tile.swizzle<128>> to !tile.window<64x64xbf16>
  tile.return
}

// CHECK-LABEL: func.func @shared_to_shared
// CHECK: %[[A:.*]] = sm.load_shared %{{.*}} : vector<8xbf16>
// CHECK: sm.store_shared %[[A]], %{{.*}} : vector<8xbf16>
tile.kernel @shared_to_shared() attributes {tile.num_warps = 4 : i64} {
  %s = tile.alloc_shared at 0 : !tile.shared<16x64xbf16, #tile.swizzle<128>>
  %t = tile.alloc_shared at 2048 : !tile.shared<16x64xbf16>
  tile.copy %s, %t : !tile.shared<16x64xbf16, #tile.swizzle<128>> to !tile.shared<16x64xbf16>
  tile.return
}

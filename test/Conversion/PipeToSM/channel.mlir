// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

// One channel of 3 slots of 8192 bytes at 1024, its barriers at 25600: full ones first. One thread
// makes them all, then everybody meets; a full barrier waits for the producer, an empty one for the
// two consumer warpgroups.
// CHECK-LABEL: func.func @ring
// CHECK-DAG: %[[THREAD:.*]] = sm.thread_id
// CHECK-DAG: %[[WARP:.*]] = sm.warp_id
// CHECK-DAG: %[[BASE:.*]] = sm.shared_base
// CHECK-DAG: %[[SLOTS:.*]] = arith.addi %[[BASE]], %c1024_i32
// CHECK-DAG: %[[BARRIERS:.*]] = arith.addi %[[BASE]], %c25600_i32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK: sm.barrier_init %[[BARRIERS]], %c1_i32
// CHECK: sm.barrier_init %{{.*}}, %c1_i32
// CHECK: sm.barrier_init %{{.*}}, %c1_i32
// CHECK: %[[EMPTY:.*]] = arith.addi %[[BASE]], %c25624_i32
// CHECK: sm.barrier_init %[[EMPTY]], %c2_i32
// CHECK: sm.barrier_init %{{.*}}, %c2_i32
// CHECK: sm.barrier_init %{{.*}}, %c2_i32
// CHECK: sm.fence_barrier_init
// CHECK: sm.tma_prefetch
// CHECK: }
// CHECK: sm.barrier
tile.kernel @ring(%x: !tile.global<?x64xbf16>, %n: i64) attributes {
    tile.num_warps = 8 : i64, tile.producer_warps = 4 : i64,
    tile.launch = {dims = ["rows"], maps = [{param = 0 : i64, box = [64, 64], swizzle = 128 : i64}]}} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = pipe.channel {offset = 1024 : i64, barriers = 25600 : i64} : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
  %start = pipe.cursor
  // CHECK: scf.if
  pipe.specialize producer {
    // CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %c0_i32, %[[PARITY:.*]] = %c0_i32) -> (i32, i32)
    %end = scf.for %i = %zero to %n step %one iter_args(%c = %start) -> !pipe.cursor : i64 {
      %w = tile.window %x[%i, %zero] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
      // A slot is free at first: the producer waits for the round before.
      // CHECK: %[[OFFSET:.*]] = arith.shli %[[STAGE]], %c3_i32
      // CHECK: %[[FULL:.*]] = arith.addi %[[BARRIERS]], %[[OFFSET]]
      // CHECK: %[[EMPTY:.*]] = arith.addi %[[FULL]], %c24_i32
      // CHECK: %[[BEFORE:.*]] = arith.xori %[[PARITY]], %c1_i32
      // CHECK: sm.barrier_try_wait %[[EMPTY]], %[[BEFORE]]
      // CHECK: sm.barrier_arrive_expect_tx %[[FULL]], %c8192_i32
      pipe.acquire %k[%c] bytes 8192 : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
      // CHECK: %[[SLOT:.*]] = arith.shli %[[STAGE]], %c13_i32
      // CHECK: %[[TARGET:.*]] = arith.addi %[[SLOTS]], %[[SLOT]]
      // CHECK: sm.tma_load %[[TARGET]], %{{.*}}, %[[FULL]]
      pipe.load %w, %k[%c] map 0 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
      pipe.commit %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
      // CHECK: %[[STEP:.*]] = arith.addi %[[STAGE]], %c1_i32
      // CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[STEP]], %c3_i32
      // CHECK: %[[NEXT:.*]] = arith.select %[[WRAPS]], %c0_i32, %[[STEP]]
      // CHECK: %[[ROUND:.*]] = arith.select %[[WRAPS]], %[[BEFORE]], %[[PARITY]]
      %next = pipe.advance %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
      // CHECK: scf.yield %[[NEXT]], %[[ROUND]]
      scf.yield %next : !pipe.cursor
    }
  } consumer {
    // CHECK: else
    // CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %c0_i32, %[[PARITY:.*]] = %c0_i32) -> (i32, i32)
    %end = scf.for %i = %zero to %n step %one iter_args(%c = %start) -> !pipe.cursor : i64 {
      // CHECK: %[[FULL:.*]] = arith.addi %[[BARRIERS]]
      // CHECK: sm.barrier_try_wait %[[FULL]], %[[PARITY]]
      %s = pipe.wait %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3> -> !tile.shared<64x64xbf16, #tile.swizzle<128>>
      // One thread speaks for its warpgroup.
      // CHECK: %[[IN_GROUP:.*]] = arith.andi %[[THREAD]], %c127_i32
      // CHECK: %[[SPEAKS:.*]] = arith.cmpi eq, %[[IN_GROUP]], %c0_i32
      // CHECK: %[[EMPTY:.*]] = arith.addi %[[FULL]], %c24_i32
      // CHECK: sm.barrier_arrive %[[EMPTY]] if %[[SPEAKS]]
      pipe.release %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
      %next = pipe.advance %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 3>
      scf.yield %next : !pipe.cursor
    }
  }
  tile.return
}

// With one stage the slot never changes, only the parity does. Slots that threads read are released by
// each warp, after its lanes have met.
// CHECK-LABEL: func.func @one_stage
// CHECK: sm.barrier_init %{{.*}}, %c1_i32
// CHECK: sm.barrier_init %{{.*}}, %c4_i32
tile.kernel @one_stage(%n: i64) attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = pipe.channel {offset = 0 : i64, barriers = 8192 : i64, thread_readers} : !pipe.channel<!tile.shared<64x64xbf16>, 1>
  %start = pipe.cursor
  pipe.specialize producer {
  } consumer {
    // CHECK: scf.for {{.*}} iter_args(%[[PARITY:.*]] = %c0_i32) -> (i32)
    %end = scf.for %i = %zero to %n step %one iter_args(%c = %start) -> !pipe.cursor : i64 {
      %s = pipe.wait %k[%c] : !pipe.channel<!tile.shared<64x64xbf16>, 1> -> !tile.shared<64x64xbf16>
      // CHECK: sm.warp_barrier
      // CHECK: %[[SPEAKS:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
      // CHECK: sm.barrier_arrive %{{.*}} if %[[SPEAKS]]
      pipe.release %k[%c] : !pipe.channel<!tile.shared<64x64xbf16>, 1>
      // CHECK: %[[NEXT:.*]] = arith.xori %[[PARITY]], %c1_i32
      // CHECK: scf.yield %[[NEXT]]
      %next = pipe.advance %k[%c] : !pipe.channel<!tile.shared<64x64xbf16>, 1>
      scf.yield %next : !pipe.cursor
    }
  }
  tile.return
}

// A slot with a number is full when the thread that has written it arrives; nothing is announced. Loops over
// items go on as before, beside the operations that say how.
// CHECK-LABEL: func.func @numbers
// CHECK: sm.barrier_init %{{.*}}, %c1_i32
// CHECK: sm.barrier_init %{{.*}}, %c4_i32
tile.kernel @numbers(%n: i64) attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = pipe.channel {offset = 0 : i64, barriers = 16 : i64, posted, thread_readers} : !pipe.channel<!tile.shared<1xi64>, 1>
  %start = pipe.cursor
  pipe.specialize producer {
    // CHECK: sm.elect
    // CHECK-NEXT: scf.if
    // CHECK: scf.for {{.*}} iter_args(%[[PARITY:.*]] = %c0_i32)
    %end = scf.for %i = %zero to %n step %one iter_args(%c = %start) -> !pipe.cursor : i64 {
      // CHECK-NEXT: %[[DRAWN:.*]] = sm.draw_item
      %next = pipe.draw_item
      // CHECK: sm.barrier_try_wait
      // CHECK-NOT: sm.barrier_arrive_expect_tx
      pipe.acquire %k[%c] bytes 0 : !pipe.channel<!tile.shared<1xi64>, 1>
      // CHECK: sm.store_shared %[[DRAWN]], %{{.*}} : i64
      pipe.post %next, %k[%c] : !pipe.channel<!tile.shared<1xi64>, 1>
      // CHECK-NEXT: sm.barrier_arrive %{{[0-9]+$}}
      pipe.commit %k[%c] : !pipe.channel<!tile.shared<1xi64>, 1>
      %behind = pipe.advance %k[%c] : !pipe.channel<!tile.shared<1xi64>, 1>
      // CHECK: sm.go_to_item %[[DRAWN]]
      pipe.go_to_item %next
      // CHECK: } {tile.tile_loop}
      scf.yield %behind : !pipe.cursor
    } {tile.tile_loop}
  } consumer {
    %end = scf.for %i = %zero to %n step %one iter_args(%c = %start) -> !pipe.cursor : i64 {
      // CHECK: sm.barrier_try_wait
      %s = pipe.wait %k[%c] : !pipe.channel<!tile.shared<1xi64>, 1> -> !tile.shared<1xi64>
      // CHECK: %[[READ:.*]] = sm.load_shared %{{.*}} : i64
      %next = tile.load_scalar %s[%zero] : !tile.shared<1xi64> to i64
      // CHECK: sm.warp_barrier
      // CHECK: sm.barrier_arrive %{{.*}} if
      pipe.release %k[%c] : !pipe.channel<!tile.shared<1xi64>, 1>
      %behind = pipe.advance %k[%c] : !pipe.channel<!tile.shared<1xi64>, 1>
      // CHECK: sm.go_to_item
      pipe.go_to_item %next
      scf.yield %behind : !pipe.cursor
    } {tile.tile_loop}
  }
  tile.return
}

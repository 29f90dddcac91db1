// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

// All threads of the producer copy, each 16 bytes of every 16th row; -1 copies no bytes. Each arrives
// when its copies are done, and none leaves before. Of the channel that TMA fills one thread takes care.
#rows = #tile.frag<reg = [], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]], repeat = [[0, 2]], warps = []>
// CHECK-LABEL: func.func @gather
// CHECK-DAG: %[[THREAD:.*]] = sm.thread_id
// CHECK-DAG: %[[WARP:.*]] = sm.warp_id
// CHECK: %[[PRODUCES:.*]] = arith.cmpi uge, %[[WARP]], %c4_i32
// CHECK: sm.barrier_init %{{.*}}, %c128_i32
// CHECK: sm.barrier_init %{{.*}}, %c1_i32
// CHECK: sm.barrier
// CHECK: scf.if %[[PRODUCES]] {
tile.kernel @gather(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %n: i64) attributes {
    tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64,
    tile.launch = {dims = ["rows"], maps = [{param = 0 : i64, box = [32, 64], swizzle = 128 : i64}],
      params = [{name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["rows", "64"], aligned},
                {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["n"]}]}} {
  %zero = arith.constant 0 : i64
  %k = pipe.channel {offset = 0 : i64, barriers = 12288 : i64, copiers = 128 : i64} : !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
  %t = pipe.channel {offset = 4096 : i64, barriers = 12304 : i64} : !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
  %c = pipe.cursor
  %w = tile.window %x[%zero, %zero] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %iw = tile.window %list[%n] dims = [0] : !tile.global<?xi32> to !tile.window<32xi32>
  pipe.specialize producer {
    // CHECK-NOT: sm.elect
    // CHECK-COUNT-2: sm.load_global
    %index = tile.load %iw pad -1 : i32 : !tile.window<32xi32> to tensor<32xi32, #rows>
    // CHECK: sm.barrier_try_wait %{{.*}}, %c1_i32
    // CHECK-NOT: sm.barrier_arrive_expect_tx
    pipe.acquire %k[%c] bytes 0 : !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
    // CHECK: %[[BYTES:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
    // CHECK: sm.cp_async %[[TO:.*]], %{{.*}}, %{{.*}} {bytes = 16 : i64}
    // CHECK: sm.cp_async %{{.*}}, %{{.*}}, %{{.*}} {bytes = 16 : i64}
    // CHECK-NOT: sm.cp_async %
    pipe.gather %w[%index], %k[%c] axis = 0 : !tile.window<32x64xbf16>, tensor<32xi32, #rows> to !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
    // CHECK: sm.cp_async_arrive
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
    // CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[THREAD]], %c128_i32
    // CHECK: scf.if %[[ONE]] {
    // CHECK-NEXT: sm.barrier_try_wait
    // CHECK-NEXT: sm.barrier_arrive_expect_tx %{{.*}}, %c4096_i32
    pipe.acquire %t[%c] bytes 4096 : !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
    // CHECK: scf.if %[[ONE]] {
    // CHECK: sm.tma_load
    pipe.load %w, %t[%c] map 0 : !tile.window<32x64xbf16> to !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
    pipe.commit %t[%c] : !pipe.channel<!tile.shared<32x64xbf16, #tile.swizzle<128>>, 1>
    // CHECK: sm.cp_async_commit
    // CHECK: sm.cp_async_wait {pending = 0 : i64}
  } consumer {
  }
  tile.return
}

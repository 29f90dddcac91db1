// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

// A slot of two slabs of 64 columns takes two TMA loads of [1, 96, 64]. Offsets of 64 bits are clamped
// to where the box is outside of the tensor: to minus what the window spans, and to the extent.
// Coordinates stand innermost first. The map is the last argument, behind the dimension.
// CHECK-LABEL: func.func @slabs
// CHECK-SAME: %{{.*}}: i64, %[[BATCH:.*]]: i64, %[[ROWS:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %[[B:[^ ]*]]: i64, %[[R:[^ ]*]]: i64, %{{[^ ]*}}: i64, %[[MAP:[^ ]*]]: !sm.tensor_map)
tile.kernel @slabs(%x: !tile.global<?x?x128xbf16>, %b: i64, %r: i64) attributes {
    tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64,
    tile.launch = {dims = ["rows"], maps = [{param = 0 : i64, box = [1, 96, 64], swizzle = 128 : i64}]}} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%b, %r, %zero] dims = [1, 2] : !tile.global<?x?x128xbf16> to !tile.window<96x128xbf16>
  %k = pipe.channel {offset = 0 : i64, barriers = 24576 : i64} : !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
  %c = pipe.cursor
  pipe.specialize producer {
    // CHECK: sm.elect
    pipe.acquire %k[%c] bytes 24576 : !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
    // CHECK: %[[B0:.*]] = arith.minsi %[[B]], %[[BATCH]]
    // CHECK: %[[B1:.*]] = arith.maxsi %[[B0]], %c-1_i64
    // CHECK: %[[B2:.*]] = arith.trunci %[[B1]] : i64 to i32
    // CHECK: %[[R0:.*]] = arith.minsi %[[R]], %[[ROWS]]
    // CHECK: %[[R1:.*]] = arith.maxsi %[[R0]], %c-96_i64
    // CHECK: %[[R2:.*]] = arith.trunci %[[R1]] : i64 to i32
    // CHECK: sm.tma_load %[[BASE:.*]], %[[MAP]][%c0_i32, %[[R2]], %[[B2]]], %[[FULL:.*]] : !sm.tensor_map
    // CHECK: %[[SECOND:.*]] = arith.addi %[[BASE]], %c12288_i32
    // CHECK: sm.tma_load %[[SECOND]], %[[MAP]][%c64_i32, %[[R2]], %[[B2]]], %[[FULL]] : !sm.tensor_map
    pipe.load %w, %k[%c] map 0 : !tile.window<96x128xbf16> to !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
  } consumer {
  }
  tile.return
}

// The producer is one thread: what it reads is not handed around the warp.
// CHECK-LABEL: func.func @list
tile.kernel @list(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %i: i64) attributes {
    tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64,
    tile.launch = {dims = [], maps = [{param = 0 : i64, box = [64, 64], swizzle = 128 : i64}]}} {
  %zero = arith.constant 0 : i64
  %k = pipe.channel {offset = 0 : i64, barriers = 8192 : i64} : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
  %c = pipe.cursor
  pipe.specialize producer {
    // CHECK: sm.load_global
    // CHECK-NOT: sm.shuffle
    // CHECK: sm.tma_load
    %index = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %row = arith.extsi %index : i32 to i64
    %w = tile.window %x[%row, %zero] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    pipe.acquire %k[%c] bytes 8192 : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
    pipe.load %w, %k[%c] map 0 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
  } consumer {
    // CHECK: } else {
    // CHECK: sm.shuffle idx
    %index = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %o = arith.extsi %index : i32 to i64
    tile.store_scalar %index, %list[%o] : i32 to !tile.global<?xi32>
  }
  tile.return
}

// The innermost coordinate is a multiple of 16 bytes, 8 elements here, as TMA demands: outside of rows of
// 77 elements is 80, and of rows of any length the next multiple.
// CHECK-LABEL: func.func @past_the_end
// CHECK-SAME: %{{[^ ]*}}: i64, %[[ROWS:[^ ]*]]: i64, %{{[^ ]*}}: i64, %{{[^ ]*}}: i64, %{{[^ ]*}}: i64, %{{[^ ]*}}: i64, %[[COLS:[^ ]*]]: i64, %{{[^ ]*}}: i64, %[[O:[^ ]*]]: i64, %{{[^ ]*}}: !sm.tensor_map
tile.kernel @past_the_end(%x: !tile.global<?x77xbf16>, %y: !tile.global<?x?xbf16>, %o: i64) attributes {
    tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64,
    tile.launch = {dims = [], maps = [{param = 0 : i64, box = [64, 64], swizzle = 128 : i64}, {param = 1 : i64, box = [64, 64], swizzle = 128 : i64}]}} {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x77xbf16> to !tile.window<64x64xbf16>
  %v = tile.window %y[%o, %o] dims = [0, 1] : !tile.global<?x?xbf16> to !tile.window<64x64xbf16>
  %k = pipe.channel {offset = 0 : i64, barriers = 8192 : i64} : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
  %c = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %k[%c] bytes 8192 : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
    // CHECK: %[[R:.*]] = arith.minsi %[[O]], %[[ROWS]] : i64
    // CHECK: arith.minsi %[[O]], %c80_i64
    // CHECK: sm.tma_load
    pipe.load %w, %k[%c] map 0 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
    // CHECK: %[[NEXT:.*]] = arith.addi %[[COLS]], %c7_i64 : i64
    // CHECK: %[[END:.*]] = arith.andi %[[NEXT]], %c-8_i64 : i64
    // CHECK: arith.minsi %[[O]], %[[END]] : i64
    // CHECK: sm.tma_load
    pipe.load %v, %k[%c] map 1 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 1>
  } consumer {
  }
  tile.return
}

// Rows 64 and on of a slot of two slabs, then the second slab of the rows before: each load starts inside its
// slab, slabs are 96 rows apart.
// CHECK-LABEL: func.func @parts
tile.kernel @parts(%x: !tile.global<?x128xbf16>, %r: i64) attributes {
    tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64,
    tile.launch = {dims = ["rows"], maps = [{param = 0 : i64, box = [32, 64], swizzle = 128 : i64}, {param = 0 : i64, box = [64, 64], swizzle = 128 : i64}]}} {
  %zero = arith.constant 0 : i64
  %w = tile.window %x[%r, %zero] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<32x128xbf16>
  %v = tile.window %x[%r, %zero] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<64x64xbf16>
  %k = pipe.channel {offset = 0 : i64, barriers = 24576 : i64} : !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
  %c = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %k[%c] bytes 24576 : !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
    // CHECK: sm.barrier_arrive_expect_tx %[[FULL:.*]], %
    // CHECK: %[[FIRST:.*]] = arith.addi %[[BASE:.*]], %c8192_i32
    // CHECK: sm.tma_load %[[FIRST]], %[[MAP:.*]][%c0_i32, %[[ROW:.*]]], %[[FULL]]
    // CHECK: %[[SECOND:.*]] = arith.addi %[[BASE]], %c20480_i32
    // CHECK: sm.tma_load %[[SECOND]], %[[MAP]][%c64_i32, %[[ROW]]], %[[FULL]]
    pipe.load %w, %k[%c] at [64, 0] map 0 : !tile.window<32x128xbf16> to !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
    // CHECK: %[[THIRD:.*]] = arith.addi %[[BASE]], %c12288_i32
    // CHECK: sm.tma_load %[[THIRD]], %{{.*}}[%c0_i32, %{{.*}}], %[[FULL]]
    // CHECK-NOT: sm.tma_load
    pipe.load %v, %k[%c] at [0, 64] map 1 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<96x128xbf16, #tile.swizzle<128>>, 1>
  } consumer {
  }
  tile.return
}

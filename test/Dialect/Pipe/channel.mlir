// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @channel
tile.kernel @channel(%x: !tile.global<?x64xbf16>, %n: i64) {
  // CHECK: %[[W:.*]] = tile.window
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<128x64xbf16>
  // CHECK: %[[K:.*]] = pipe.channel : <!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
  %k = pipe.channel : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
  // CHECK: pipe.channel {barriers = 65536 : i64, offset = 32768 : i64, thread_readers} : <!tile.shared<8x64xbf16>, 1>
  %s = pipe.channel {barriers = 65536 : i64, offset = 32768 : i64, thread_readers} : !pipe.channel<!tile.shared<8x64xbf16>, 1>
  // CHECK: %[[NUMBERS:.*]] = pipe.channel {posted, thread_readers} : <!tile.shared<1xi64>, 2>
  %numbers = pipe.channel {posted, thread_readers} : !pipe.channel<!tile.shared<1xi64>, 2>
  // CHECK: %[[C:.*]] = pipe.cursor {number = 1 : i64}
  %c = pipe.cursor {number = 1 : i64}
  pipe.specialize producer {
    // CHECK: pipe.acquire %[[K]][%[[C]]] bytes 16384 : <!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    pipe.acquire %k[%c] bytes 16384 : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    // CHECK: pipe.load %[[W]], %[[K]][%[[C]]] map 1 : <128x64xbf16> to <!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    pipe.load %w, %k[%c] map 1 : !tile.window<128x64xbf16> to !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    %half = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // CHECK: pipe.load %{{.*}}, %[[K]][%[[C]]] at [64, 0] map 2 : <64x64xbf16>
    pipe.load %half, %k[%c] at [64, 0] map 2 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    // CHECK: pipe.commit %[[K]][%[[C]]]
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    // What threads write is not announced.
    // CHECK: pipe.acquire %[[NUMBERS]][%[[C]]] bytes 0
    pipe.acquire %numbers[%c] bytes 0 : !pipe.channel<!tile.shared<1xi64>, 2>
    // CHECK: pipe.post %arg1, %[[NUMBERS]][%[[C]]] : <!tile.shared<1xi64>, 2>
    pipe.post %n, %numbers[%c] : !pipe.channel<!tile.shared<1xi64>, 2>
  } consumer {
    // CHECK: pipe.wait %[[K]][%[[C]]] : <{{.*}}, 2> -> <128x64xbf16, #tile.swizzle<128>>
    %slot = pipe.wait %k[%c] : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2> -> !tile.shared<128x64xbf16, #tile.swizzle<128>>
    // CHECK: pipe.wait %[[K]][%[[C]]] : <{{.*}}, 2> -> <2x64x64xbf16, #tile.swizzle<128>>
    %pair = pipe.wait %k[%c] : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2> -> !tile.shared<2x64x64xbf16, #tile.swizzle<128>>
    // CHECK: pipe.release %[[K]][%[[C]]]
    pipe.release %k[%c] : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    // CHECK: pipe.advance %[[K]][%[[C]]]
    %next = pipe.advance %k[%c] : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
    // CHECK: pipe.hand_over %{{.*}} for %[[K]] number 1 : !pipe.channel
    %start = pipe.hand_over %next for %k number 1 : !pipe.channel<!tile.shared<128x64xbf16, #tile.swizzle<128>>, 2>
  }
  tile.return
}

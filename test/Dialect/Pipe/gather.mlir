// RUN: tile-opt %s -split-input-file -verify-diagnostics | tile-opt -split-input-file | FileCheck %s

#rows = #tile.frag<reg = [], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]], repeat = [[0, 4]], warps = []>
// CHECK-LABEL: tile.kernel @gather
tile.kernel @gather(%x: !tile.global<?x64xbf16>, %n: i64) {
  %index = tile.iota : tensor<64xi32, #rows>
  %mask = arith.constant dense<true> : tensor<64xi1, #rows>
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  // CHECK: %[[K:.*]] = pipe.channel {copiers = 128 : i64}
  %k = pipe.channel {copiers = 128 : i64} : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // CHECK: pipe.acquire %[[K]][%{{.*}}] bytes 0
    pipe.acquire %k[%c] bytes 0 : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
    // CHECK: pipe.gather %{{.*}}[%{{.*}}], %[[K]][%{{.*}}] axis = 0 where %{{.*}} : tensor<64xi1, #{{.*}}> : <64x64xbf16>, tensor<64xi32, #{{.*}}> to
    pipe.gather %w[%index], %k[%c] axis = 0 where %mask : tensor<64xi1, #rows> : !tile.window<64x64xbf16>, tensor<64xi32, #rows> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @no_copiers(%x: !tile.global<?x64xbf16>, %n: i64) {
  %index = tile.iota : tensor<64xi32>
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @+1 {{fills a channel that has no 'copiers', whose arrivals make a slot full}}
    pipe.gather %w[%index], %k[%c] axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @columns(%x: !tile.global<?x64xbf16>, %n: i64) {
  %index = tile.iota : tensor<64xi32>
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %k = pipe.channel {copiers = 128 : i64} : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @+1 {{expected an axis of rows, 0 to 0, found 1}}
    pipe.gather %w[%index], %k[%c] axis = 1 : !tile.window<64x64xbf16>, tensor<64xi32> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @short(%x: !tile.global<?x64xbf16>, %n: i64) {
  %index = tile.iota : tensor<32xi32>
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %k = pipe.channel {copiers = 128 : i64} : !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @+1 {{expected 64 whole numbers as the index, found 'tensor<32xi32>'}}
    pipe.gather %w[%index], %k[%c] axis = 0 : !tile.window<64x64xbf16>, tensor<32xi32> to !pipe.channel<!tile.shared<64x64xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @axis(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32xi32>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // expected-error @below {{expected an axis below 2, found 2}}
  %a = tile.gather %w[%index] axis = 2 : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  tile.return
}

// -----

tile.kernel @index_type(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32xi16>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // expected-error @below {{expected an index of i32 or i64, found 'tensor<32xi16>'}}
  %a = tile.gather %w[%index] axis = 0 : !tile.window<32x64xbf16>, tensor<32xi16> to tensor<32x64xbf16>
  tile.return
}

// -----

tile.kernel @index_length(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32xi32>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // expected-error @below {{expected an index of rank 1 with the 64 positions of axis 1, or of the tile's shape, found 'tensor<32xi32>'}}
  %a = tile.gather %w[%index] axis = 1 : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  tile.return
}

// -----

tile.kernel @mask(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32xi32>
  %mask = arith.constant dense<true> : tensor<32x64xi1>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // expected-error @below {{expected a mask of i1 with the shape of the index 'tensor<32xi32>', found 'tensor<32x64xi1>'}}
  %a = tile.gather %w[%index] axis = 0 where %mask : tensor<32x64xi1> : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  tile.return
}

// -----

tile.kernel @pad(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32xi32>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // expected-error @below {{expected a pad value of type 'bf16', found 'f32'}}
  %a = tile.gather %w[%index] axis = 0 pad 0.0 : f32 : !tile.window<32x64xbf16>, tensor<32xi32> to tensor<32x64xbf16>
  tile.return
}

// -----

tile.kernel @shape(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<16xi32>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  // expected-error @below {{expected the same shape and element type on both sides, found '!tile.window<32x64xbf16>' and 'tensor<16x64xbf16>'}}
  %a = tile.gather %w[%index] axis = 0 : !tile.window<32x64xbf16>, tensor<16xi32> to tensor<16x64xbf16>
  tile.return
}

// -----

tile.kernel @copy_elements(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32x64xi32>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %s = tile.alloc_shared : !tile.shared<32x64xbf16>
  // expected-error @below {{expected an index of rank 1 with the 32 positions of axis 0, found 'tensor<32x64xi32>'}}
  tile.gather_copy %w[%index], %s axis = 0 : !tile.window<32x64xbf16>, tensor<32x64xi32> to !tile.shared<32x64xbf16>
  tile.return
}

// -----

tile.kernel @copy_shape(%x: !tile.global<?x64xbf16>, %o: i64) {
  %index = arith.constant dense<1> : tensor<32xi32>
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %s = tile.alloc_shared : !tile.shared<32x32xbf16>
  // expected-error @below {{expected the same shape and element type on both sides, found '!tile.window<32x64xbf16>' and '!tile.shared<32x32xbf16>'}}
  tile.gather_copy %w[%index], %s axis = 0 : !tile.window<32x64xbf16>, tensor<32xi32> to !tile.shared<32x32xbf16>
  tile.return
}

// -----

tile.kernel @scatter_shape() {
  %v = arith.constant dense<1.0> : tensor<32x64xf32>
  %index = arith.constant dense<1> : tensor<32xi32>
  %s = tile.alloc_shared : !tile.shared<7x32xf32>
  // expected-error @below {{expected the same shape and element type on both sides, found '!tile.shared<7x32xf32>' and 'tensor<32x64xf32>'}}
  tile.scatter %v, %s[%index] axis = 0 : tensor<32x64xf32>, tensor<32xi32> to !tile.shared<7x32xf32>
  tile.return
}

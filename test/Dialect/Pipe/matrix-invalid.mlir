// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @result_type() {
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  pipe.specialize producer {
  } consumer {
    // expected-error @below {{expected a result in flight of the accumulator's type 'tensor<64x64xf32>', found 'tensor<64x32xf32>'}}
    %s = pipe.mma %q, %q, %zero : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32> -> !pipe.inflight<tensor<64x32xf32>>
  }
  tile.return
}

// -----

tile.kernel @contracted() {
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %k = tile.alloc_shared : !tile.shared<64x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  pipe.specialize producer {
  } consumer {
    // expected-error @below {{contracts axes of different extents: 64 of the first operand, 128 of the second}}
    %s = pipe.mma %q, %k, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x128xbf16>, tensor<64x64xf32> -> !pipe.inflight<tensor<64x64xf32>>
  }
  tile.return
}

// -----

tile.kernel @elements() {
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %k = tile.alloc_shared : !tile.shared<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  pipe.specialize producer {
  } consumer {
    // expected-error @below {{expected operands of one 16-bit float type or of 8-bit float types, found 'bf16' and 'f16'}}
    %s = pipe.mma %q, %k, %zero : !tile.shared<64x64xbf16>, !tile.shared<64x64xf16>, tensor<64x64xf32> -> !pipe.inflight<tensor<64x64xf32>>
  }
  tile.return
}

// -----

tile.kernel @finished_type() {
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  pipe.specialize producer {
  } consumer {
    %s = pipe.mma %q, %q, %zero : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32> -> !pipe.inflight<tensor<64x64xf32>>
    // expected-error @below {{expected the finished accumulator's type 'tensor<64x64xf32>', found 'tensor<32x64xf32>'}}
    %r = pipe.mma_wait %s pending 0 : !pipe.inflight<tensor<64x64xf32>> -> tensor<32x64xf32>
  }
  tile.return
}

// -----

tile.kernel @pending() {
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  pipe.specialize producer {
  } consumer {
    %s = pipe.mma %q, %q, %zero : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32> -> !pipe.inflight<tensor<64x64xf32>>
    // expected-error @below {{expected a number of pending groups of 0 or more, found -1}}
    %r = pipe.mma_wait %s pending -1 : !pipe.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
  }
  tile.return
}

// -----

// Reading an unfinished accumulator is a type error.
tile.kernel @unfinished() {
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  pipe.specialize producer {
  } consumer {
    %s = pipe.mma %q, %q, %zero : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32> -> !pipe.inflight<tensor<64x64xf32>>
    // expected-error @below {{operand #0 must be floating-point-like, but got '!pipe.inflight<tensor<64x64xf32>>'}}
    %r = "arith.addf"(%s, %s) : (!pipe.inflight<tensor<64x64xf32>>, !pipe.inflight<tensor<64x64xf32>>) -> !pipe.inflight<tensor<64x64xf32>>
  }
  tile.return
}

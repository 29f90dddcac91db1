// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @other_type() {
  %s = arith.constant dense<0.0> : tensor<64xf32>
  %r = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @below {{expected a body that yields 'tensor<64xf32>', found 'tensor<32xf32>'}}
  %t = tile.again %s {
    tile.yield %r : tensor<32xf32>
  } : tensor<64xf32>
  tile.return
}

// -----

tile.kernel @no_yield() {
  %s = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expected a body without arguments that ends in tile.yield}}
  %t = tile.again %s {
    %r = arith.negf %s : tensor<64xf32>
  } : tensor<64xf32>
  tile.return
}

// -----

tile.kernel @empty() {
  %s = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expects a non-empty block}}
  %t = tile.again %s {
  } : tensor<64xf32>
  tile.return
}

// -----

tile.kernel @other_end() {
  %s = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expected a body without arguments that ends in tile.yield}}
  %t = tile.again %s {
    tile.return
  } : tensor<64xf32>
  tile.return
}

// -----

tile.kernel @arguments() {
  %s = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expected a body without arguments that ends in tile.yield}}
  %t = tile.again %s {
  ^bb0(%x: tensor<64xf32>):
    tile.yield %x : tensor<64xf32>
  } : tensor<64xf32>
  tile.return
}

// -----

tile.kernel @yield_elsewhere() {
  %s = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expects parent op 'tile.again'}}
  tile.yield %s : tensor<64xf32>
}

// -----

tile.kernel @lag() {
  %above = arith.constant dense<true> : tensor<64xi1>
  %maximum = arith.constant dense<1.0> : tensor<64xf32>
  %reference = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expected 'tile.follows' to be a number, found "8"}}
  %r = arith.select %above, %maximum, %reference {tile.follows = "8"} : tensor<64xi1>, tensor<64xf32>
  tile.return
}

// -----

tile.kernel @whole_lag() {
  %above = arith.constant dense<true> : tensor<64xi1>
  %maximum = arith.constant dense<1.0> : tensor<64xf32>
  %reference = arith.constant dense<0.0> : tensor<64xf32>
  // expected-error @below {{expected 'tile.follows' to be a number, found 8 : i32}}
  %r = arith.select %above, %maximum, %reference {tile.follows = 8 : i32} : tensor<64xi1>, tensor<64xf32>
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{returns nothing; write results through an output parameter}}
tile.kernel @result() -> f32 { tile.return }

// -----

// expected-error @below {{expected parameter 0 to be a !tile.global tensor or a scalar, found 'tensor<4xf32>'}}
tile.kernel @tensor(%x: tensor<4xf32>) { tile.return }

// -----

tile.kernel @unknown_dim() attributes {tile.launch = {dims = ["n"]}} {
  // expected-error @below {{names the launch-time dimension 'm', which 'tile.launch' does not declare}}
  %m = tile.dim "m"
  tile.return
}

// -----

// expected-error @below {{expected 'tile.launch' to be a dictionary, found 3 : i64}}
tile.kernel @launch() attributes {tile.launch = 3 : i64} { tile.return }

// -----

// expected-error @below {{expected 'tile.num_warps' to be a non-negative integer, found -4 : i64}}
tile.kernel @warps() attributes {tile.num_warps = -4 : i64} { tile.return }

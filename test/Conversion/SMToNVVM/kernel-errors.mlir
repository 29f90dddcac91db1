// RUN: tile-opt %s --convert-sm-to-nvvm -split-input-file -verify-diagnostics

// expected-error @below {{expected a kernel, which has the attribute 'tile.num_warps'}}
func.func @no_kernel() {
  return
}

// -----

// expected-error @below {{expected 'tile.num_warps' from 1 to 32, found 33}}
func.func @too_many_warps() attributes {tile.num_warps = 33 : i64} {
  return
}

// -----

// expected-error @below {{expected 'tile.shared_bytes' from 0 to 232448, found 300000}}
func.func @shared_memory() attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 300000 : i64} {
  return
}

// -----

// expected-error @below {{expected 'tile.shared_bytes' from 0 to 115712, found 200000}}
func.func @two_ctas() attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 200000 : i64, tile.ctas_per_sm = 2 : i64} {
  return
}

// -----

// expected-error @below {{expected a kernel with a body and without results}}
func.func @result(%x: i64) -> i64 attributes {tile.num_warps = 4 : i64} {
  return %x : i64
}

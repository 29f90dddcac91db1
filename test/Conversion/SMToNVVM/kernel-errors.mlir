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

// expected-error @below {{kernel 'two_ctas': 2 CTAs per SM do not fit: each has 201024 bytes of shared memory with the 1024 that are reserved, an SM 233472; use smaller tiles or at most 1 CTA}}
func.func @two_ctas() attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 200000 : i64, tile.ctas_per_sm = 2 : i64} {
  return
}

// -----

// The producer's warps count too.
// expected-error @below {{kernel 'six_ctas': 6 CTAs per SM do not fit: each has 384 threads, an SM 2048; use fewer warps or at most 5 CTAs}}
func.func @six_ctas() attributes {tile.num_warps = 8 : i64, tile.producer_warps = 4 : i64, tile.ctas_per_sm = 6 : i64} {
  return
}

// -----

// expected-error @below {{expected 'tile.ctas_per_sm' from 1 to 32, found 33}}
func.func @too_many_ctas() attributes {tile.num_warps = 1 : i64, tile.ctas_per_sm = 33 : i64} {
  return
}

// -----

// expected-error @below {{expected a kernel with a body and without results}}
func.func @result(%x: i64) -> i64 attributes {tile.num_warps = 4 : i64} {
  return %x : i64
}

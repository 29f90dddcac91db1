// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected 2 integers, found 1}}
#bad = #tile.frag<reg = [[0, 1], [8]], lane = [], warp = [], repeat = [], warps = []>

// -----

#small = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 2]], warps = []>
tile.kernel @coverage() {
  // expected-error @below {{layout covers 16 elements of axis 1, the tile has 24}}
  %c = arith.constant dense<0.0> : tensor<64x24xf32, #small>
  tile.return
}

// -----

tile.kernel @stages(%lo: i64) {
  scf.for %i = %lo to %lo step %lo : i64 {
  // expected-error @below {{expected one stage or more, found 0}}
  } {tile.pipeline = #tile.pipeline<stages = 0>}
  tile.return
}

// -----

tile.kernel @pipeline_kind(%lo: i64) {
  // expected-error @below {{expected 'tile.pipeline' to be #tile.pipeline<stages = N>, found 2 : i64}}
  scf.for %i = %lo to %lo step %lo : i64 {
  } {tile.pipeline = 2 : i64}
  tile.return
}

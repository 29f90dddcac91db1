// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @condition(%x: f32) {
  %t = tile.broadcast %x dims = [] : f32 to tensor<8xf32>
  // expected-error @+1 {{'tile.check' op expected a condition of i1, found 'f32'}}
  tile.check %t "all" : tensor<8xf32>
  tile.return
}

// -----

tile.kernel @tile_loop(%first: i64, %last: i64, %step: i64) {
  // expected-error @+1 {{'scf.for' op expected 'tile.tile_loop' to be a unit attribute on an scf.for, found "dynamic"}}
  scf.for %i = %first to %last step %step : i64 {
  } {tile.tile_loop = "dynamic"}
  tile.return
}

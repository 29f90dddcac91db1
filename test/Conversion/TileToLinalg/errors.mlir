// RUN: tile-opt --convert-tile-to-linalg --split-input-file --verify-diagnostics %s

#row = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = []>
tile.kernel @layout() {
  // expected-error @+1 {{the host target expected fragments without a layout, found 'tensor<32xf32, #tile.frag<}}
  %c = arith.constant dense<0.0> : tensor<32xf32, #row>
  tile.return
}

// -----

tile.kernel @chosen_tile(%p: i1) {
  %a = tile.alloc_shared : !tile.shared<8xf32>
  %b = tile.alloc_shared : !tile.shared<8xf32>
  %s = arith.select %p, %a, %b : !tile.shared<8xf32>
  // expected-error @+1 {{the host target expected a kernel argument or a 'tile.alloc_shared', found a '!tile.shared<8xf32>' that control flow chose; choose the offsets instead}}
  %t = tile.load %s : !tile.shared<8xf32> to tensor<8xf32>
  tile.return
}

// -----

tile.kernel @chosen_window(%x: !tile.global<?xf32>, %p: i1, %o: i64) {
  %a = tile.window %x[%o] dims = [0] : !tile.global<?xf32> to !tile.window<8xf32>
  %c0 = arith.constant 0 : i64
  %b = tile.window %x[%c0] dims = [0] : !tile.global<?xf32> to !tile.window<8xf32>
  %w = arith.select %p, %a, %b : !tile.window<8xf32>
  // expected-error @+1 {{the host target expected a window made by 'tile.window', found one that control flow chose; choose the offsets instead}}
  %t = tile.load %w : !tile.window<8xf32> to tensor<8xf32>
  tile.return
}

// -----

tile.kernel @undeclared_dim() {
  // expected-error @+1 {{the host target expected 'rows' among the dims of 'tile.launch'; declare it there}}
  %n = tile.dim "rows"
  tile.return
}

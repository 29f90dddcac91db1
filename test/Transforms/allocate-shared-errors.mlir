// RUN: tile-opt %s -split-input-file -verify-diagnostics -tile-allocate-shared

// One byte more than a block has.
// expected-error @+1 {{needs 232449 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time}}
tile.kernel @one_byte() {
  // expected-note @+2 {{232449 bytes at 0: '!tile.shared<232449xi8>'}}
  // expected-note @+1 {{with at most 232448 of 232449 rows in the largest tile the kernel would fit}}
  %a = tile.alloc_shared : !tile.shared<232449xi8>
  tile.return
}

// -----

// expected-error @+1 {{needs 262144 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time}}
tile.kernel @two_tiles(%x: !tile.global<?x128xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<256x128xbf16>
  %v = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<768x128xbf16>
  // expected-note @+1 {{65536 bytes at 196608: '!tile.shared<256x128xbf16>'}}
  %a = tile.alloc_shared : !tile.shared<256x128xbf16>
  // expected-note @+2 {{196608 bytes at 0: '!tile.shared<768x128xbf16>'}}
  // expected-note @+1 {{with at most 640 of 768 rows in the largest tile the kernel would fit}}
  %b = tile.alloc_shared : !tile.shared<768x128xbf16>
  tile.copy %w, %a : !tile.window<256x128xbf16> to !tile.shared<256x128xbf16>
  tile.copy %v, %b : !tile.window<768x128xbf16> to !tile.shared<768x128xbf16>
  tile.copy %a, %w : !tile.shared<256x128xbf16> to !tile.window<256x128xbf16>
  tile.copy %b, %v : !tile.shared<768x128xbf16> to !tile.window<768x128xbf16>
  tile.return
}

// -----

// The barriers count too.
// expected-error @+1 {{needs 327760 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time}}
tile.kernel @stages() {
  // expected-note @+2 {{327680 bytes at 0: '!pipe.channel<!tile.shared<256x128xbf16, #tile.swizzle<128>>, 5>'}}
  // expected-note @+1 {{with 3 of 5 stages the kernel would fit}}
  %k = pipe.channel : !pipe.channel<!tile.shared<256x128xbf16, #tile.swizzle<128>>, 5>
  tile.return
}

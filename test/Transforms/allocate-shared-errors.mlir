// RUN: tile-opt %s -split-input-file -verify-diagnostics -tile-allocate-shared

// One byte more than a block has.
// expected-error @+1 {{needs 232449 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time}}
tile.kernel @one_byte() {
  // expected-note @+2 {{232449 bytes: 232449 of i8}}
  // expected-note @+1 {{with dimension 0 of at most 232448 instead of 232449 the kernel would fit}}
  %a = tile.alloc_shared : !tile.shared<232449xi8>
  tile.return
}

// -----

// expected-error @+1 {{needs 262144 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time}}
tile.kernel @two_tiles(%x: !tile.global<?x128xbf16>, %o: i64) {
  %w = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<256x128xbf16>
  %v = tile.window %x[%o, %o] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<768x128xbf16>
  // expected-note @+1 {{65536 bytes: 256x128 of bf16}}
  %a = tile.alloc_shared : !tile.shared<256x128xbf16>
  // expected-note @+3 {{196608 bytes: 768x128 of bf16}}
  // expected-note @+2 {{with dimension 0 of at most 640 instead of 768 the kernel would fit}}
  // expected-note @+1 {{with dimension 1 of at most 96 instead of 128 the kernel would fit}}
  %b = tile.alloc_shared : !tile.shared<768x128xbf16>
  tile.copy %w, %a : !tile.window<256x128xbf16> to !tile.shared<256x128xbf16>
  tile.copy %v, %b : !tile.window<768x128xbf16> to !tile.shared<768x128xbf16>
  tile.copy %a, %w : !tile.shared<256x128xbf16> to !tile.window<256x128xbf16>
  tile.copy %b, %v : !tile.shared<768x128xbf16> to !tile.window<768x128xbf16>
  tile.return
}

// -----

// The barriers count too.
// expected-note @+2 {{80 bytes: 10 mbarriers}}
// expected-error @+1 {{needs 327760 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time}}
tile.kernel @stages() {
  // expected-note @+4 {{327680 bytes: 5 stages of 256x128 of bf16}}
  // expected-note @+3 {{with 3 of 5 stages the kernel would fit}}
  // expected-note @+2 {{with dimension 0 of at most 176 instead of 256 the kernel would fit}}
  // expected-note @+1 {{with dimension 1 of at most 80 instead of 128 the kernel would fit}}
  %k = pipe.channel : !pipe.channel<!tile.shared<256x128xbf16, #tile.swizzle<128>>, 5>
  tile.return
}

// -----

// Fewer stages of the smaller ring alone would not do: all rings have as many.
// expected-note @+2 {{128 bytes: 16 mbarriers}}
// expected-error @+1 {{needs 262272 bytes of shared memory, a block has 232448; make tiles smaller or allocate fewer at a time}}
tile.kernel @two_rings() {
  // expected-note @+1 {{65536 bytes: 4 stages of 64x128 of bf16}}
  %k = pipe.channel : !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 4>
  // expected-note @+4 {{196608 bytes: 4 stages of 192x128 of bf16}}
  // expected-note @+3 {{with 3 of 4 stages the kernel would fit}}
  // expected-note @+2 {{with dimension 0 of at most 160 instead of 192 the kernel would fit}}
  // expected-note @+1 {{with dimension 1 of at most 96 instead of 128 the kernel would fit}}
  %v = pipe.channel : !pipe.channel<!tile.shared<192x128xbf16, #tile.swizzle<128>>, 4>
  tile.return
}

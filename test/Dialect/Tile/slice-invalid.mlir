// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @rank(%at: i64) {
  %s = tile.alloc_shared : !tile.shared<128x64xbf16>
  // expected-error@+1 {{expected offsets for the 2 axes of the tile and a result of no more axes, found 1 axes and 1 offsets}}
  %0 = tile.slice %s[%at] : !tile.shared<128x64xbf16> to !tile.shared<32xbf16>
  tile.return
}

// -----

tile.kernel @element(%at: i64) {
  %s = tile.alloc_shared : !tile.shared<128x64xbf16>
  // expected-error@+1 {{expected elements of 'bf16', found 'f16'}}
  %0 = tile.slice %s[%at, %at] : !tile.shared<128x64xbf16> to !tile.shared<32x64xf16>
  tile.return
}

// -----

tile.kernel @extent(%at: i64) {
  %s = tile.alloc_shared : !tile.shared<128x64xbf16>
  // expected-error@+1 {{axis 0 of the tile has 128 elements, the slice 129}}
  %0 = tile.slice %s[%at, %at] : !tile.shared<128x64xbf16> to !tile.shared<129x64xbf16>
  tile.return
}

// -----

// A slice has no layout of its own: another swizzle would read other elements.
tile.kernel @swizzle(%at: i64) {
  %s = tile.alloc_shared : !tile.shared<128x64xbf16, #tile.swizzle<128>>
  // expected-error@+1 {{expected a slice with the swizzle of its tile '!tile.shared<128x64xbf16, #tile.swizzle<128>>', found '!tile.shared<32x32xbf16, #tile.swizzle<64>>'}}
  %0 = tile.slice %s[%at, %at] : !tile.shared<128x64xbf16, #tile.swizzle<128>> to !tile.shared<32x32xbf16, #tile.swizzle<64>>
  tile.return
}

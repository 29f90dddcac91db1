// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected one stage or more, found 0}}
func.func private @no_stage(!pipe.channel<!tile.shared<128x64xbf16>, 0>)

// -----

// expected-error @below {{expected the last axis to be a multiple of the swizzle's 128 bytes, found 48 bytes}}
func.func private @narrow(!pipe.channel<!tile.shared<128x24xbf16, #tile.swizzle<128>>, 2>)

// -----

tile.kernel @half_a_place() {
  // expected-error @below {{expected 'offset' and 'barriers' together}}
  %k = pipe.channel {offset = 0 : i64} : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  tile.return
}

// -----

tile.kernel @unaligned_slots() {
  // expected-error @below {{expected an offset that is a multiple of 1024 bytes, found 512}}
  %k = pipe.channel {offset = 512 : i64, barriers = 0 : i64} : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  tile.return
}

// -----

tile.kernel @unaligned_barriers() {
  // expected-error @below {{expected barriers at a multiple of 8 bytes, found 4}}
  %k = pipe.channel {offset = 0 : i64, barriers = 4 : i64} : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  tile.return
}

// -----

tile.kernel @bytes() {
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected 1 to 8192 bytes, which a slot has, found 8200}}
    pipe.acquire %k[%c] bytes 8200 : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @window_of_another_shape(%x: !tile.global<?x64xbf16>, %n: i64) {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<32x64xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected a window of the slot's shape and element type, found '!tile.window<32x64xbf16>' and '!tile.shared<64x64xbf16>'}}
    pipe.load %w, %k[%c] map 0 : !tile.window<32x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @negative_map(%x: !tile.global<?x64xbf16>, %n: i64) {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected the number of a tensor map, found -1}}
    pipe.load %w, %k[%c] map -1 : !tile.window<64x64xbf16> to !pipe.channel<!tile.shared<64x64xbf16>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @slot_of_another_type() {
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
  } consumer {
    // expected-error @below {{expected the channel's slot type '!tile.shared<64x64xbf16>' or one with its rows along other axes, found '!tile.shared<64x64xf16>'}}
    %s = pipe.wait %k[%c] : !pipe.channel<!tile.shared<64x64xbf16>, 2> -> !tile.shared<64x64xf16>
  }
  tile.return
}

// -----

tile.kernel @outside_of_roles() {
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  %c = pipe.cursor
  // expected-error @below {{expected to stand in a role, inside of 'pipe.specialize'}}
  pipe.release %k[%c] : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  tile.return
}

// -----

tile.kernel @part_of_three_places(%x: !tile.global<?x128xbf16>, %n: i64) {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<32x128xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected a row and a column in 'at', found 3 numbers}}
    pipe.load %w, %k[%c] at [0, 0, 0] map 0 : !tile.window<32x128xbf16> to !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @part_outside(%x: !tile.global<?x128xbf16>, %n: i64) {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<32x128xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected a part of the slot's 64 rows of 128 elements, found rows 40 to 72, elements 0 to 128}}
    pipe.load %w, %k[%c] at [40, 0] map 0 : !tile.window<32x128xbf16> to !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @part_inside_the_period(%x: !tile.global<?x128xbf16>, %n: i64) {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<32x128xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected a part that TMA can write; it starts at row 12, and the swizzle of 128 bytes repeats every 8 rows (1024 bytes)}}
    pipe.load %w, %k[%c] at [12, 0] map 0 : !tile.window<32x128xbf16> to !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @part_inside_a_slab(%x: !tile.global<?x128xbf16>, %n: i64) {
  %w = tile.window %x[%n, %n] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<32x64xbf16>
  %k = pipe.channel : !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected a part that TMA can write; it covers bytes 64 to 192 of rows, TMA whole slabs of 128 bytes}}
    pipe.load %w, %k[%c] at [0, 32] map 0 : !tile.window<32x64xbf16> to !pipe.channel<!tile.shared<64x128xbf16, #tile.swizzle<128>>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @posted_elsewhere(%n: i64) {
  %k = pipe.channel : !pipe.channel<!tile.shared<1xi64>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{fills a channel that is not 'posted', whose arrivals make a slot full}}
    pipe.post %n, %k[%c] : !pipe.channel<!tile.shared<1xi64>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @several_numbers(%n: i64) {
  %k = pipe.channel {posted} : !pipe.channel<!tile.shared<2xi64>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected a slot of one i64, found '!tile.shared<2xi64>'}}
    pipe.post %n, %k[%c] : !pipe.channel<!tile.shared<2xi64>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @narrow_number(%n: i64) {
  %k = pipe.channel {posted} : !pipe.channel<!tile.shared<1xi32>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{expected a slot of one i64, found '!tile.shared<1xi32>'}}
    pipe.post %n, %k[%c] : !pipe.channel<!tile.shared<1xi32>, 2>
  } consumer {
  }
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @consumer_op() {
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
    // expected-error @below {{stands in the producer's region, expected the consumer's}}
    pipe.release %k[%c] : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @producer_op() {
  %k = pipe.channel : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
  } consumer {
    // expected-error @below {{stands in the consumer's region, expected the producer's}}
    pipe.commit %k[%c] : !pipe.channel<!tile.shared<64x64xbf16>, 2>
  }
  tile.return
}

// -----

// A number is drawn once for all consumers.
tile.kernel @draw(%n: i64) {
  pipe.specialize producer {
  } consumer {
    scf.for %i = %n to %n step %n : i64 {
      // expected-error @below {{stands in the consumer's region, expected the producer's}}
      %next = pipe.draw_item
      pipe.go_to_item %next
    } {tile.tile_loop}
  }
  tile.return
}

// -----

tile.kernel @draw_outside_items(%n: i64) {
  pipe.specialize producer {
    scf.for %i = %n to %n step %n : i64 {
      // expected-error @below {{expected to stand directly in a loop over work items, an 'scf.for' with 'tile.tile_loop'}}
      %next = pipe.draw_item
    }
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @draw_for_nothing(%n: i64) {
  pipe.specialize producer {
    scf.for %i = %n to %n step %n : i64 {
      // expected-error @below {{expected one 'pipe.go_to_item' in its loop, found 0}}
      %next = pipe.draw_item
    } {tile.tile_loop}
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @two_ways(%n: i64) {
  pipe.specialize producer {
  } consumer {
    scf.for %i = %n to %n step %n : i64 {
      // expected-error @below {{expected one 'pipe.go_to_item' in its loop, found 2}}
      pipe.go_to_item %n
      pipe.go_to_item %i
    } {tile.tile_loop}
  }
  tile.return
}

// -----

tile.kernel @post(%n: i64) {
  %k = pipe.channel {posted} : !pipe.channel<!tile.shared<1xi64>, 2>
  %c = pipe.cursor
  pipe.specialize producer {
  } consumer {
    // expected-error @below {{stands in the consumer's region, expected the producer's}}
    pipe.post %n, %k[%c] : !pipe.channel<!tile.shared<1xi64>, 2>
  }
  tile.return
}

// -----

tile.kernel @turn() {
  pipe.specialize producer {
    // expected-error @below {{stands in the producer's region, expected the consumer's}}
    pipe.turn_pass
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @second() {
  // expected-note @below {{the first one is here}}
  pipe.specialize producer {
  } consumer {
  }
  // expected-error @below {{is the second of its kernel, expected one}}
  pipe.specialize producer {
  } consumer {
  }
  tile.return
}

// -----

tile.kernel @in_a_loop(%n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    // expected-error @below {{expected to stand directly in a 'tile.kernel'}}
    pipe.specialize producer {
    } consumer {
    }
  }
  tile.return
}

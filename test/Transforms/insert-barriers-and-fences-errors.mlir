// RUN: tile-opt %s -verify-diagnostics -tile-insert-barriers-and-fences

tile.kernel @no_offset() {
  // expected-error @+1 {{has no offset; run tile-allocate-shared first}}
  %s = tile.alloc_shared : !tile.shared<128xf32>
  tile.return
}

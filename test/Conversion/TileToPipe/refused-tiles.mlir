// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -verify-diagnostics

// Tiles whose place or whose readers leave the producer no slot to fill.

#launch = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"]},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

tile.kernel @allocated_outside(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %s = tile.alloc_shared : !tile.shared<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: the shared tile is allocated outside of the loop that fills it}}
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @second_writer(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %h = arith.truncf %next : tensor<64x64xf32> to tensor<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: the shared tile has a second writer}}
    tile.store %h, %s : tensor<64x64xbf16> to !tile.shared<64x64xbf16>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @read_first(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: the shared tile is read before it is filled}}
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @copy_of_a_copy(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %t = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: the shared tile is read otherwise than by a product or as a whole}}
    tile.copy %s, %t : !tile.shared<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %t, %t, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @under_a_condition(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %some = arith.cmpi sgt, %i, %c1 : i64
    scf.if %some {
      // expected-remark @+1 {{the kernel takes the simple path: the copy stands under a condition or in an inner loop}}
      tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    }
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @nothing_copied(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  // expected-remark @+1 {{the kernel takes the simple path: the loop copies nothing into shared memory}}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %next = arith.addf %a, %a : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @mma_sync(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %small = arith.constant dense<0.0> : tensor<8x8xf32>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %small) -> (tensor<8x8xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<8x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<8x64xbf16>
    tile.copy %w, %s : !tile.window<8x64xbf16> to !tile.shared<8x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: this product runs on mma.sync, whose operands all threads read}}
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<8x64xbf16>, !tile.shared<8x64xbf16>, tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<8x8xf32>
  tile.store %r, %ow : tensor<8x8xf32> to !tile.window<8x8xf32>
  tile.return
}

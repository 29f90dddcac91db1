// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -verify-diagnostics

// Addresses that the producer cannot compute by itself, tensors that change under it.

#launch = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"]},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned}]}

tile.kernel @carried_result(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero, %at = %c0) -> (tensor<64x64xf32>, i64) : i64 {
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%at, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: an address depends on a result of the computation}}
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %top = tile.reduce max %next axis = 1 : tensor<64x64xf32> to tensor<64xf32>
    %one = tile.reduce max %top axis = 0 : tensor<64xf32> to f32
    %then = arith.fptosi %one : f32 to i64
    scf.yield %next, %then : tensor<64x64xf32>, i64
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @result_as_index(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %top = tile.reduce max %a axis = 1 : tensor<64x64xf32> to tensor<64xf32>
    %one = tile.reduce max %top axis = 0 : tensor<64xf32> to f32
    %row = arith.fptosi %one : f32 to i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: an address depends on a result of the computation}}
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @written_index(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    // expected-remark @+1 {{the kernel takes the simple path: the kernel writes the tensor that this index comes from}}
    %block = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %wide = arith.extsi %block : i32 to i64
    tile.store_scalar %block, %list[%i] : i32 to !tile.global<?xi32>
    %row = arith.muli %wide, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @written_tensor(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
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
    // expected-remark @+1 {{the kernel takes the simple path: the kernel writes the tensor that this copy reads}}
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    %h = arith.truncf %next : tensor<64x64xf32> to tensor<64x64xbf16>
    tile.store %h, %w : tensor<64x64xbf16> to !tile.window<64x64xbf16>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @computed_trips(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %ow0 = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  %old = tile.load %ow0 : !tile.window<64x64xf32> to tensor<64x64xf32>
  %top = tile.reduce max %old axis = 1 : tensor<64x64xf32> to tensor<64xf32>
  %one = tile.reduce max %top axis = 0 : tensor<64xf32> to f32
  %count = arith.fptosi %one : f32 to i64
  // expected-remark @+1 {{the kernel takes the simple path: an address depends on a result of the computation}}
  %r = scf.for %i = %c0 to %count step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %row = arith.muli %i, %c64 : i64
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

tile.kernel @carried_by_an_inner_loop(%x: !tile.global<?x64xbf16>, %list: !tile.global<?xi32>, %o: !tile.global<64x64xf32>)
    attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %at, %b = scf.for %j = %c0 to %c64 step %c1 iter_args(%sum = %c0, %b = %a) -> (i64, tensor<64x64xf32>) : i64 {
      %more = arith.addi %sum, %j : i64
      %twice = arith.addf %b, %b : tensor<64x64xf32>
      scf.yield %more, %twice : i64, tensor<64x64xf32>
    }
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%at, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: an address depends on a result of the computation}}
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %b {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

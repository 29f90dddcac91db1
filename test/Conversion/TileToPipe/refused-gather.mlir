// RUN: tile-opt %s -tile-assign-layouts -convert-tile-to-pipe -verify-diagnostics

#launch = {dims = ["n", "most"], params = [
  {name = "x", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["64", "64"], aligned},
  {name = "l", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "63"]},
  {name = "t", kind = "tensor", access = "in", dtype = "i32", extents = ["most"]}]}

// Rows of 126 bytes.
tile.kernel @unaligned(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>, %l: !tile.global<?x63xbf16>, %t: !tile.global<?xi32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %index = arith.constant dense<5> : tensor<64xi32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %l[%c0, %c0] dims = [0, 1] : !tile.global<?x63xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: rows of the tensor are not known to be multiples of 16 bytes}}
    tile.gather_copy %w[%index], %s axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// cp.async fills up with zeros.
tile.kernel @padded(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>, %l: !tile.global<?x63xbf16>, %t: !tile.global<?xi32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %index = arith.constant dense<5> : tensor<64xi32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: cp.async pads with 0 only}}
    tile.gather_copy %w[%index], %s axis = 0 pad 1.0 : bf16 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// From the start in the middle of a piece.
tile.kernel @shifted(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>, %l: !tile.global<?x63xbf16>, %t: !tile.global<?xi32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %index = arith.constant dense<5> : tensor<64xi32>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%c0, %i] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: rows of the tensor are not known to be multiples of 16 bytes}}
    tile.gather_copy %w[%index], %s axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Two stages do not hide the way of rows to products that wait for nothing else.
tile.kernel @few_stages(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>, %l: !tile.global<?x63xbf16>, %t: !tile.global<?xi32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %index = arith.constant dense<5> : tensor<64xi32>
  %trips = tile.dim "most"
  // expected-remark @+1 {{threads copy rows for products that nothing else covers, which is slower than the simple path with 2 stages; give it 4}}
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.gather_copy %w[%index], %s axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// The rows of the next copies depend on products: the producer would have to wait for the consumers.
tile.kernel @computed(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>, %l: !tile.global<?x63xbf16>, %t: !tile.global<?xi32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %q = tile.alloc_shared : !tile.shared<64x64xbf16>
  %qw = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  tile.copy %qw, %q : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
  %trips = tile.dim "most"
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %scores = tile.gemm %q, %q, %zero {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    // expected-remark @+1 {{the kernel takes the simple path: the index of these rows depends on a result of the computation}}
    %best = tile.reduce max %scores axis = 1 : tensor<64x64xf32> to tensor<64xf32>
    %index = arith.fptosi %best : tensor<64xf32> to tensor<64xi32>
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.gather_copy %w[%index], %s axis = 0 : !tile.window<64x64xbf16>, tensor<64xi32> to !tile.shared<64x64xbf16>
    %next = tile.gemm %q, %s, %a : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A scatter writes the tensor that the loop's copies read.
tile.kernel @scattered(%x: !tile.global<?x64xbf16>, %o: !tile.global<64x64xf32>, %l: !tile.global<?x63xbf16>, %t: !tile.global<?xi32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %value = arith.constant dense<0.0> : tensor<64x64xbf16>
  %index = arith.constant dense<5> : tensor<64xi32>
  %trips = tile.dim "most"
  %all = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
  tile.scatter %value, %all[%index] axis = 0 : tensor<64x64xbf16>, tensor<64xi32> to !tile.window<64x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %zero) -> (tensor<64x64xf32>) : i64 {
    %s = tile.alloc_shared : !tile.shared<64x64xbf16>
    %w = tile.window %x[%i, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    // expected-remark @+1 {{the kernel takes the simple path: the kernel writes the tensor that this copy reads}}
    tile.copy %w, %s : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %next = tile.gemm %s, %s, %a {transpose_b} : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<64x64xf32> to !tile.window<64x64xf32>
  tile.store %r, %ow : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @element(%w: !tile.window<64xbf16>, %v: tensor<64xbf16>) {
  // expected-error @below {{atomic add works on i32, i64 and f32, found 'bf16'}}
  tile.atomic add %v, %w : tensor<64xbf16> to !tile.window<64xbf16>
  return
}

// -----

func.func @bits(%w: !tile.window<64xf32>, %v: tensor<64xf32>) {
  // expected-error @below {{atomic and works on i32 and i64, found 'f32'}}
  tile.atomic and %v, %w : tensor<64xf32> to !tile.window<64xf32>
  return
}

// -----

func.func @compare(%w: !tile.window<64xi32>, %v: tensor<64xi32>) {
  // expected-error @below {{expected a 'compare' operand for cas}}
  tile.atomic cas %v, %w : tensor<64xi32> to !tile.window<64xi32>
  return
}

// -----

func.func @no_compare(%w: !tile.window<64xi32>, %v: tensor<64xi32>) {
  // expected-error @below {{only cas takes a 'compare' operand, found max}}
  tile.atomic max %v, %w compare %v : tensor<64xi32> : tensor<64xi32> to !tile.window<64xi32>
  return
}

// -----

func.func @shape(%w: !tile.window<32xi32>, %v: tensor<64xi32>) {
  // expected-error @below {{expected the same shape and element type on both sides}}
  tile.atomic max %v, %w : tensor<64xi32> to !tile.window<32xi32>
  return
}

// -----

func.func @axis(%w: !tile.window<64xi32>, %v: tensor<64xi32>) {
  // expected-error @below {{expected an index and its axis together}}
  tile.atomic max %v, %w[%v : tensor<64xi32>] : tensor<64xi32> to !tile.window<64xi32>
  return
}

// -----

func.func @old(%w: !tile.window<64xi32>, %v: tensor<64xi32>) {
  // expected-error @below {{expected 'compare' and the old value to be 'tensor<64xi32>', found 'tensor<64xi64>'}}
  %0 = tile.atomic max %v, %w : tensor<64xi32> to !tile.window<64xi32> -> tensor<64xi64>
  return
}

// -----

func.func @memory(%w: !tile.window<64xi64>, %v: tensor<64xi32>) {
  // expected-error @below {{expected the same shape and element type on both sides, found '!tile.window<64xi64>' and 'tensor<64xi32>'}}
  tile.atomic max %v, %w : tensor<64xi32> to !tile.window<64xi64>
  return
}

// -----

func.func @indices(%x: !tile.global<?x?xi32>, %v: i32, %i: i64) {
  // expected-error @below {{expected one index per dimension of the memory (2), found 1}}
  tile.atomic_scalar add %v, %x[%i] : i32 to !tile.global<?x?xi32>
  return
}

// -----

func.func @fence() {
  // expected-error @below {{a relaxed fence orders nothing; expected acquire, release or acq_rel}}
  tile.fence order = relaxed scope = gpu
  return
}

// -----

func.func @mask_type(%w: !tile.window<64xi32>, %v: tensor<64xi32>) {
  // expected-error @below {{expected a mask of i1 with the tile's shape, found 'tensor<64xi32>'}}
  tile.atomic add %v, %w where %v : tensor<64xi32> : tensor<64xi32> to !tile.window<64xi32>
  return
}

// -----

func.func @indexed_rank(%w: !tile.window<64x8xi32>, %v: tensor<64xi32>) {
  // expected-error @below {{expected the same shape and element type on both sides}}
  tile.atomic add %v, %w[%v : tensor<64xi32>] axis = 0 : tensor<64xi32> to !tile.window<64x8xi32>
  return
}

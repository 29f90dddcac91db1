//===- Matrix.h - matrix product, softmax, copy, axpy for applications ----===//
// SPDX-License-Identifier: Apache-2.0
//
// tile/Attention.h says what holds for every call. None of these needs workspace.

#ifndef TILE_MATRIX_H
#define TILE_MATRIX_H

#include "tile/Runtime.h"
#include "tile/Status.h"
#include "tile/Tensor.h"

namespace tile {

struct MatmulOptions {
  /// `b` is [n, k] instead of [k, n].
  bool transposeB = false;
};

/// c = a * b with `a` [m, k], `b` [k, n], `c` [m, n], all bf16 or all f16. Products and sums are
/// f32, rounded once. Fastest where n and k are multiples of 8 and all rows start at multiples of
/// 16 bytes.
Status matmul(Stream stream, const Tensor &a, const Tensor &b, const Tensor &c,
              const MatmulOptions &options = {});

/// Softmax of each row of `x` [rows, cols] into `y` [rows, cols]: f32, f16 or bf16. A row that is
/// -inf throughout gives 0.
Status softmax(Stream stream, const Tensor &x, const Tensor &y);

/// y = x for tensors [rows, cols] of f32, f16, bf16 or i32, with any row strides.
Status copy(Stream stream, const Tensor &x, const Tensor &y);

/// y = a * x + y for tensors [size] of f32, f16 or bf16; the sum is f32, rounded once.
Status axpy(Stream stream, float a, const Tensor &x, const Tensor &y);

} // namespace tile

#endif // TILE_MATRIX_H

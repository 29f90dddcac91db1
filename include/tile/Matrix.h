//===- Matrix.h - products of matrices for applications -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// tile/Attention.h says what holds for every call. None of these needs workspace. Products and sums
// are f32 and rounded once.

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

/// c = a * b with `a` [m, k], `b` [k, n], `c` [m, n], all bf16 or all f16; or `a` and `b` both e4m3
/// or both e5m2 and `c` bf16, where `b` has to be [n, k]. Fastest where all rows start at multiples
/// of 16 bytes, n is a multiple of 8 and k one of 8, of 8-bit types of 16.
Status matmul(Stream stream, const Tensor &a, const Tensor &b, const Tensor &c,
              const MatmulOptions &options = {});

/// c[i] = a[rows[i]] * b with `a` [a_rows, k], `rows` [m] of i32, `b` [k, n], `c` [m, n], all but
/// `rows` bf16 or all f16. Where rows[i] names no row of `a`, c[i] is 0. Fastest where all rows
/// start at multiples of 16 bytes and n and k are multiples of 8.
Status gatheredMatmul(Stream stream, const Tensor &a, const Tensor &rows, const Tensor &b,
                      const Tensor &c);

/// The tensors of scaledMatmul(). All must start at multiples of 16 bytes, and so their rows; n
/// must be a multiple of 8 and k one of 16.
struct ScaledMatmulTensors {
  Tensor a;      ///< [m, k] of e4m3
  Tensor b;      ///< [n, k] of e4m3
  Tensor scaleA; ///< [m] of f32
  Tensor scaleB; ///< [n] of f32
  Tensor c;      ///< [m, n] of bf16 or f32, written
};

/// c[i, j] = scale_a[i] * scale_b[j] * sum over l of a[i, l] * b[j, l]: the product of what
/// quantizeRows() (tile/Rows.h) made of two matrices.
Status scaledMatmul(Stream stream, const ScaledMatmulTensors &tensors);

} // namespace tile

#endif // TILE_MATRIX_H

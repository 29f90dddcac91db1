//===- Rows.h - operations on rows for applications -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// tile/Attention.h says what holds for every call. Rows may have any length and any stride. Results
// are formed in f32 and rounded once.

#ifndef TILE_ROWS_H
#define TILE_ROWS_H

#include "tile/Runtime.h"
#include "tile/Status.h"
#include "tile/Tensor.h"

namespace tile {

/// Softmax of each row of `x` [rows, cols] into `y` [rows, cols]: f32, f16 or bf16. A row that is
/// -inf throughout gives 0.
Status softmax(Stream stream, const Tensor &x, const Tensor &y);

/// The tensors of layerNorm(), all f32 or all bf16.
struct LayerNormTensors {
  Tensor x;      ///< [rows, cols]
  Tensor weight; ///< [cols]
  Tensor bias;   ///< [cols]
  Tensor y;      ///< [rows, cols], written
};

struct LayerNormOptions {
  /// Added to the variance.
  float eps = 1e-5f;
};

/// y = (x - mean) / sqrt(variance + eps) * weight + bias, row by row; the variance is that of the
/// row's elements, from their differences with the mean. Fastest where cols is a multiple of 16 and
/// all rows start at multiples of 16 bytes.
Status layerNorm(Stream stream, const LayerNormTensors &tensors,
                 const LayerNormOptions &options = {});

/// Each row of `x` [rows, cols], f32 or bf16, in 8 bits: `q` [rows, cols] of e4m3 is x / scale, and
/// `scale` [rows] of f32 brings the row's largest |x| to 448. A scale is at least 2^-100 / 448;
/// infinities become 448; NaN stays NaN and does not count. Fastest as layerNorm() is.
Status quantizeRows(Stream stream, const Tensor &x, const Tensor &q, const Tensor &scale);

/// The tensors of rotary(). `T` is f32 or bf16.
struct RotaryTensors {
  Tensor x;   ///< [batch, seq, heads, head_dim] of T; head_dim is 64 or 128
  Tensor cos; ///< [seq, head_dim / 2] of f32: of the angle of each position and pair
  Tensor sin; ///< [seq, head_dim / 2] of f32
  Tensor y;   ///< [batch, seq, heads, head_dim] of T, written
};

struct RotaryOptions {
  /// Pairs are neighbours (2 i, 2 i + 1); otherwise the two halves of a head (i, i + head_dim / 2).
  bool interleaved = false;
};

/// Rotary position embedding: the pair (a, b) becomes (a cos - b sin, b cos + a sin).
Status rotary(Stream stream, const RotaryTensors &tensors, const RotaryOptions &options = {});

struct LogSumExpTensors {
  Tensor x; ///< [rows, cols] of f32
  Tensor y; ///< [rows] of f32, written
  /// [rows] of i32, 0 before the first call; each call leaves it 0. It counts the parts of a row
  /// that are done: calls that may run at the same time need tickets of their own.
  Tensor ticket;
};

/// The natural log of the sum of exp(x) of each row, -inf for a row without anything above -inf.
/// Several thread blocks share a row, so few long rows are as fast as many short ones. `workspace`:
/// an i8 tensor of at least logSumExpWorkspace(x) elements from an address that is a multiple of 16
/// bytes, for this call alone while it runs. What is in it does not matter.
Status logSumExp(Stream stream, const LogSumExpTensors &tensors, const Tensor &workspace);

/// Bytes of workspace that logSumExp() of `x` needs on the current device; only the shape and the
/// kind of memory of `x` count.
Result<int64_t> logSumExpWorkspace(const Tensor &x);

} // namespace tile

#endif // TILE_ROWS_H

//===- Attention.h - attention for applications ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Common to every call of the library (here, in tile/Matrix.h, Rows.h, Copies.h, Lists.h and in
// tile/c_api.h):
// - All tensors lie on the stream's device. On the GPU the call queues one kernel (two where it
//   says so) and returns; on the host it returns when the kernel has ended.
// - The last stride of every tensor is 1, other strides are any that are not negative, and may be 0
//   in what is only read. What is written overlaps no other tensor of the call.
// - An error names the argument as tile/c_api.h spells it (`scale_a` for `scaleA`), what was
//   expected and what was found, and nothing was launched. Where the library has no kernel for the
//   arguments' types and sizes, it lists those that it has.
// - Nothing is allocated but what is kept for later calls: a kernel's image at its first launch in
//   a context, and the last 64 tensor maps of each kernel (host memory, 256 bytes each).
// - Calls can be captured into a CUDA graph. Only tensors with an extent of 0 make the first call
//   in a context allocate device memory; make that call before the capture.
// - Calls from several threads are safe.

#ifndef TILE_ATTENTION_H
#define TILE_ATTENTION_H

#include "tile/Runtime.h"
#include "tile/Status.h"
#include "tile/Tensor.h"

namespace tile {

/// The tensors of dense attention. `T` is bf16 or f16; the last stride of each is 1.
struct AttentionTensors {
  Tensor q; ///< [batch, heads, q_len, head_dim] of T
  Tensor k; ///< [batch, kv_heads, kv_len, head_dim] of T; heads is a multiple of kv_heads
  Tensor v; ///< [batch, kv_heads, kv_len, head_dim] of T
  Tensor o; ///< [batch, heads, q_len, head_dim] of T, written
  /// [batch, heads, q_len] of f32, written: the natural log of the sum of exp(score * scale).
  Tensor lse;
};

struct AttentionOptions {
  /// A query sees the keys up to its own position; the last query sees the last key.
  bool causal = false;
  /// Factor of the scores; 0 stands for 1/sqrt(head_dim).
  float scale = 0;
};

/// Attention of each query over all keys. A query without a key gives 0 and an `lse` of -inf. Where
/// the library has no kernel for the element type or head_dim, the error lists those that it has.
Status attention(Stream stream, const AttentionTensors &tensors,
                 const AttentionOptions &options = {});

/// The tensors of block-sparse attention. `T` is bf16 or f16; the last stride of each is 1. Queries
/// are cut into blocks of `queryBlock`, keys into blocks of `keyBlock`.
struct BlockSparseTensors {
  Tensor q; ///< [batch, heads, q_len, head_dim] of T
  Tensor k; ///< [batch, kv_heads, kv_len, head_dim] of T; heads is a multiple of kv_heads
  Tensor v; ///< [batch, kv_heads, kv_len, value_dim] of T
  /// [batch, heads, ceil(q_len / queryBlock)] of i32: how many entries of `blockIndex` count.
  Tensor blockCount;
  /// [batch, heads, ceil(q_len / queryBlock), max_blocks] of i32: key blocks in any order, each at
  /// most once. Negative entries and those past the last key contribute nothing. Where `blockCount`
  /// and `blockIndex` have kv_heads in the place of heads, all query heads of a group, of which
  /// there is an even number, have one list.
  Tensor blockIndex;
  Tensor o; ///< [batch, heads, q_len, value_dim] of T, written
  /// [batch, heads, q_len] of f32, written: the natural log of the sum of exp(score * scale).
  Tensor lse;
};

struct BlockSparseOptions {
  /// A query sees the keys up to its own position; the last query sees the last key.
  bool causal = false;
  /// Rows of a block of queries, and of keys.
  int queryBlock = 128, keyBlock = 128;
  /// Factor of the scores; 0 stands for 1/sqrt(head_dim).
  float scale = 0;
};

/// Attention of each query over the keys in its block's list. A query without a key gives 0 and an
/// `lse` of -inf. Where the library has no kernel for the element type, the dimensions or the block
/// sizes, the error lists those that it has.
///
/// Without `workspace` each block of queries reads its key blocks for itself. With as much as
/// blockSparseAttentionWorkspace() says, a first kernel finds out what neighbouring blocks of
/// queries have in common, and the second loads that once for both: on an H200 a fifth faster where
/// they list the same, a twentieth slower where they have an eighth in common. Two query heads with
/// one list are taken together, and need no workspace.
Status blockSparseAttention(Stream stream, const BlockSparseTensors &tensors,
                            const BlockSparseOptions &options = {}, const Tensor &workspace = {});

/// Bytes of workspace that this call can use, 0 where it can use none, as with blocks of 128 or a
/// causal mask: then `workspace` is not looked at. Otherwise it is an i8 tensor of at least as many
/// elements from a multiple of 16 bytes, with memory of its own, and of the call alone while it
/// runs; or a default Tensor, to do without. Errors as of the call itself.
Result<int64_t> blockSparseAttentionWorkspace(const BlockSparseTensors &tensors,
                                              const BlockSparseOptions &options = {});

/// Merges the outputs of attention over parts of the keys. `part` [splits, rows, head_dim] and
/// `out` [rows, head_dim], both f32 or both bf16, with a head_dim of 64 or 128: each part's own
/// output, and what attention over all keys gives, written. `part_lse` [splits, rows] and `lse`
/// [rows] of f32: as attention() writes them, -inf for a part without a key, whose output is not
/// looked at. A row without any key gives 0 and -inf.
Status mergeSplits(Stream stream, const Tensor &part, const Tensor &partLse, const Tensor &out,
                   const Tensor &lse);

} // namespace tile

#endif // TILE_ATTENTION_H

/*===- c_api.h - the library's operations for C and other languages --------===*/
/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors are DLPack's and are only read: nothing takes ownership, and neither a tensor nor a
 * struct is looked at after the call. `stream` is a CUstream or cudaStream_t, null being the
 * default stream; for tensors on the CPU it is not used and the call returns when the result is
 * there. The current CUDA context must be the tensors' device's. What tile/Attention.h says of
 * every call holds here too. docs/Stability.md says what of this stays as it is. */

#ifndef TILE_C_API_H
#define TILE_C_API_H

#include "tile/dlpack.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_API_VERSION 2

typedef enum {
  TILE_OK = 0,
  /** A pointer is null, a struct too small, or a tensor is of a kind that no kernel takes. */
  TILE_BAD_ARGUMENT = 1,
  /** The library has no kernel for these types and sizes; the message lists what it has. */
  TILE_NO_KERNEL = 2,
  /** The kernel's arguments do not fit together, or the driver refuses. */
  TILE_LAUNCH_FAILED = 3
} tile_status;

/** TILE_API_VERSION of the library that is loaded. */
int32_t tile_api_version(void);

/** Why this thread's last call failed; empty if it did not. Valid until the thread's next call. */
const char *tile_last_error(void);

/** Attention over all keys. Shapes are in tile/Attention.h (AttentionTensors); a scale of 0 stands
 * for 1/sqrt(head_dim). */
tile_status tile_attention(const DLTensor *q, const DLTensor *k, const DLTensor *v,
                           const DLTensor *o, const DLTensor *lse, int32_t causal, float scale,
                           void *stream);

/** Shapes are in tile/Attention.h (BlockSparseTensors). */
typedef struct {
  /** sizeof(tile_block_sparse_attention_args); lets fields be added at the end. */
  uint64_t struct_size;
  const DLTensor *q, *k, *v, *block_count, *block_index;
  const DLTensor *o, *lse;
  /** i8, as many as tile_block_sparse_attention_workspace says, or null to do without. */
  const DLTensor *workspace;
  int32_t causal;
  int32_t query_block, key_block;
  /** 0 stands for 1/sqrt(head_dim). */
  float scale;
} tile_block_sparse_attention_args;

tile_status tile_block_sparse_attention(const tile_block_sparse_attention_args *args, void *stream);

/** Bytes of workspace with which the same call loads what neighbouring blocks of queries have in
 * common once for both; 0 where it can use none. */
tile_status tile_block_sparse_attention_workspace(const tile_block_sparse_attention_args *args,
                                                  int64_t *bytes);

/** Merges what tile_attention gives for parts of the keys: part [splits, rows, head_dim], part_lse
 * [splits, rows], out [rows, head_dim], lse [rows]. */
tile_status tile_merge_splits(const DLTensor *part, const DLTensor *part_lse, const DLTensor *out,
                              const DLTensor *lse, void *stream);

/*===- Products of matrices: types, shapes and alignment in tile/Matrix.h ---------------------===*/

/** c = a * b; b is [n, k] if transpose_b is not 0, else [k, n]. */
tile_status tile_matmul(const DLTensor *a, const DLTensor *b, const DLTensor *c,
                        int32_t transpose_b, void *stream);

/** c[i] = a[rows[i]] * b with rows [m] of i32; b is [k, n]. */
tile_status tile_gathered_matmul(const DLTensor *a, const DLTensor *rows, const DLTensor *b,
                                 const DLTensor *c, void *stream);

typedef struct {
  /** sizeof(tile_scaled_matmul_args); lets fields be added at the end. */
  uint64_t struct_size;
  const DLTensor *a, *b, *scale_a, *scale_b, *c;
} tile_scaled_matmul_args;

/** c[i, j] = scale_a[i] * scale_b[j] * sum of a[i, l] * b[j, l], of e4m3. */
tile_status tile_scaled_matmul(const tile_scaled_matmul_args *args, void *stream);

/*===- Operations on rows: types and shapes in tile/Rows.h ------------------------------------===*/

/** Softmax of the rows of x [rows, cols] into y. */
tile_status tile_softmax(const DLTensor *x, const DLTensor *y, void *stream);

typedef struct {
  /** sizeof(tile_layer_norm_args); lets fields be added at the end. */
  uint64_t struct_size;
  const DLTensor *x, *weight, *bias, *y;
  /** Added to the variance; 1e-5 is usual. */
  float eps;
} tile_layer_norm_args;

/** y = (x - mean) / sqrt(variance + eps) * weight + bias, row by row. */
tile_status tile_layer_norm(const tile_layer_norm_args *args, void *stream);

/** The rows of x [rows, cols] as e4m3 in q [rows, cols], with an f32 in scale [rows] each. */
tile_status tile_quantize_rows(const DLTensor *x, const DLTensor *q, const DLTensor *scale,
                               void *stream);

typedef struct {
  /** sizeof(tile_rotary_args); lets fields be added at the end. */
  uint64_t struct_size;
  const DLTensor *x, *cos, *sin, *y;
  /** Pairs are neighbours if not 0, else the two halves of a head. */
  int32_t interleaved;
} tile_rotary_args;

/** Turns the pairs of x [batch, seq, heads, head_dim] by the angles of cos and sin
 * [seq, head_dim / 2]. */
tile_status tile_rotary(const tile_rotary_args *args, void *stream);

typedef struct {
  /** sizeof(tile_log_sum_exp_args); lets fields be added at the end. */
  uint64_t struct_size;
  const DLTensor *x, *y;
  /** [rows] of i32: 0 before the first call, and 0 after each. */
  const DLTensor *ticket;
  /** i8, as many as tile_log_sum_exp_workspace says; null where that is 0. */
  const DLTensor *workspace;
} tile_log_sum_exp_args;

/** The log of the sum of exp(x) of each row of x [rows, cols] into y [rows]. */
tile_status tile_log_sum_exp(const tile_log_sum_exp_args *args, void *stream);

/** Bytes of workspace that tile_log_sum_exp needs for x, whose elements are not looked at. */
tile_status tile_log_sum_exp_workspace(const DLTensor *x, int64_t *bytes);

/*===- Moving rows: types and shapes in tile/Copies.h -----------------------------------------===*/

/** y = x for tensors [rows, cols]. */
tile_status tile_copy(const DLTensor *x, const DLTensor *y, void *stream);

/** y = a * x + y for tensors [size]. */
tile_status tile_axpy(float a, const DLTensor *x, const DLTensor *y, void *stream);

/** y[b, i] = row i % page of page table[b, i / page] of pool, for i below lengths[b]. */
tile_status tile_paged_copy(const DLTensor *pool, const DLTensor *table, const DLTensor *lengths,
                            const DLTensor *y, void *stream);

/** y[target[s] + r] = x[source[s] + r] for each row r of each segment s. */
tile_status tile_jagged_copy(const DLTensor *x, const DLTensor *source, const DLTensor *target,
                             const DLTensor *y, void *stream);

/*===- Selecting, ordering, counting: types and shapes in tile/Lists.h ------------------------===*/

/** The largest of the first length[row] elements of each row of x [rows, cols]: their places in
 * position [rows, k], ascending, and themselves in value [rows, k]. */
tile_status tile_top_k(const DLTensor *x, const DLTensor *length, const DLTensor *position,
                       const DLTensor *value, void *stream);

/** From mask [batch, heads, q_blocks, k_blocks] the lists that tile_block_sparse_attention
 * reads. */
tile_status tile_block_lists(const DLTensor *mask, const DLTensor *count, const DLTensor *block,
                             void *stream);

/** order [count]: the numbers of the costs [count], largest cost first. */
tile_status tile_order_by_cost(const DLTensor *cost, const DLTensor *order, void *stream);

/** Adds to count [1024] how often each index occurs in x [size]. */
tile_status tile_histogram(const DLTensor *x, const DLTensor *count, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_API_H */

/*===- c_api.h - the library's operations for C and other languages --------===*/
/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors are DLPack's and are only read: nothing takes ownership, and neither a tensor nor a struct
 * is looked at after the call. `stream` is a CUstream or cudaStream_t, null being the default
 * stream; for tensors on the CPU it is not used and the call returns when the result is there. The
 * current CUDA context must be the tensors' device's. What tile/Attention.h says of every call holds
 * here too. docs/Stability.md says what of this stays as it is. */

#ifndef TILE_C_API_H
#define TILE_C_API_H

#include "tile/dlpack.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_API_VERSION 1

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

/** Attention over all keys. Shapes are in tile/Attention.h (AttentionTensors); a scale of 0 stands for
 * 1/sqrt(head_dim). */
tile_status tile_attention(const DLTensor *q, const DLTensor *k, const DLTensor *v,
                           const DLTensor *o, const DLTensor *lse, int32_t causal, float scale,
                           void *stream);

/** Shapes are in tile/Attention.h (BlockSparseTensors). */
typedef struct {
  /** sizeof(tile_block_sparse_attention_args); lets fields be added at the end. */
  uint64_t struct_size;
  const DLTensor *q, *k, *v, *block_count, *block_index;
  const DLTensor *o, *lse;
  /** Null where tile_block_sparse_attention_workspace says 0. */
  const DLTensor *workspace;
  int32_t causal;
  int32_t query_block, key_block;
  /** 0 stands for 1/sqrt(head_dim). */
  float scale;
} tile_block_sparse_attention_args;

tile_status tile_block_sparse_attention(const tile_block_sparse_attention_args *args, void *stream);

/** Bytes of workspace that the same call needs. */
tile_status tile_block_sparse_attention_workspace(const tile_block_sparse_attention_args *args,
                                                  int64_t *bytes);

/** c = a * b; b is [n, k] if transpose_b is not 0, else [k, n]. */
tile_status tile_matmul(const DLTensor *a, const DLTensor *b, const DLTensor *c,
                        int32_t transpose_b, void *stream);

/** Softmax of the rows of x [rows, cols] into y. */
tile_status tile_softmax(const DLTensor *x, const DLTensor *y, void *stream);

/** y = x for tensors [rows, cols]. */
tile_status tile_copy(const DLTensor *x, const DLTensor *y, void *stream);

/** y = a * x + y for tensors [size]. */
tile_status tile_axpy(float a, const DLTensor *x, const DLTensor *y, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_API_H */

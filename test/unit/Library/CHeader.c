/*===- CHeader.c - the C interface compiles as C99 -------------------------===*/
/* SPDX-License-Identifier: Apache-2.0 */

#include "tile/c_api.h"

const char *versionOfCHeader(void);

/* Uses every type once. */
const char *versionOfCHeader(void) {
  tile_block_sparse_attention_args args = {.struct_size = sizeof args};
  DLManagedTensorVersioned managed = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}};
  tile_scaled_matmul_args product = {.struct_size = sizeof product};
  tile_layer_norm_args norm = {.struct_size = sizeof norm, .eps = 1e-5f};
  tile_rotary_args turn = {.struct_size = sizeof turn, .interleaved = 1};
  tile_log_sum_exp_args sums = {.struct_size = sizeof sums};
  tile_status status = args.q == managed.dl_tensor.data ? TILE_OK : TILE_BAD_ARGUMENT;
  if (product.a || norm.x || turn.cos || sums.ticket)
    status = TILE_NO_KERNEL;
  return status == TILE_OK && tile_api_version() == TILE_API_VERSION ? "" : tile_last_error();
}

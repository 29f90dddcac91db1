/*===- CHeader.c - the C interface compiles as C99 -------------------------===*/
/* SPDX-License-Identifier: Apache-2.0 */

#include "tile/c_api.h"

const char *versionOfCHeader(void);

/* Uses every type once. */
const char *versionOfCHeader(void) {
  tile_block_sparse_attention_args args = {.struct_size = sizeof args};
  DLManagedTensorVersioned managed = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}};
  tile_status status = args.q == managed.dl_tensor.data ? TILE_OK : TILE_BAD_ARGUMENT;
  return status == TILE_OK && tile_api_version() == TILE_API_VERSION ? "" : tile_last_error();
}

//===- Attention.cpp - attention for C ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Attention.h"

#include "Reader.h"

using namespace tile;
using kernels::Reader;

tile_status tile_attention(const DLTensor *q, const DLTensor *k, const DLTensor *v,
                           const DLTensor *o, const DLTensor *lse, int32_t causal, float scale,
                           void *stream) {
  Reader read("attention");
  AttentionTensors tensors = {read("q", q), read("k", k), read("v", v), read("o", o),
                              read("lse", lse)};
  return finish(read, stream, [&](Stream on) {
    return attention(on, tensors, {.causal = causal != 0, .scale = scale});
  });
}

namespace {
/// The arguments of one call.
struct BlockSparseCall {
  Reader read{"block_sparse_attention"};
  BlockSparseTensors tensors;
  BlockSparseOptions options;

  explicit BlockSparseCall(const tile_block_sparse_attention_args *args) {
    if (!read.knows(args))
      return;
    tensors = {read("q", args->q),
               read("k", args->k),
               read("v", args->v),
               read("block_count", args->block_count),
               read("block_index", args->block_index),
               read("o", args->o),
               read("lse", args->lse)};
    options = {.causal = args->causal != 0,
               .queryBlock = args->query_block,
               .keyBlock = args->key_block,
               .scale = args->scale};
  }
};
} // namespace

tile_status tile_block_sparse_attention(const tile_block_sparse_attention_args *args,
                                        void *stream) {
  BlockSparseCall call(args);
  Tensor workspace;
  if (!call.read.failed() && args->workspace)
    workspace = call.read("workspace", args->workspace);
  return finish(call.read, stream, [&](Stream on) {
    return blockSparseAttention(on, call.tensors, call.options, workspace);
  });
}

tile_status tile_block_sparse_attention_workspace(const tile_block_sparse_attention_args *args,
                                                  int64_t *bytes) {
  BlockSparseCall call(args);
  if (call.read.failed())
    return call.read.report();
  return call.read.store("bytes", blockSparseAttentionWorkspace(call.tensors, call.options), bytes);
}

tile_status tile_merge_splits(const DLTensor *part, const DLTensor *part_lse, const DLTensor *out,
                              const DLTensor *lse, void *stream) {
  Reader read("merge_splits");
  Tensor parts = read("part", part), partLse = read("part_lse", part_lse);
  Tensor merged = read("out", out), mergedLse = read("lse", lse);
  return finish(read, stream,
                [&](Stream on) { return mergeSplits(on, parts, partLse, merged, mergedLse); });
}

//===- Attention.cpp - chooses the attention kernel for a call --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Attention.h"

#include "Family.h"

#include <cmath>

using namespace tile;
using kernels::Variant;

namespace {
/// What a variant was compiled for, in a form that is quick to compare. The blocks of a kernel
/// without lists are nobody's concern.
struct Entry {
  Variant variant;
  DType dtype;
  int64_t headDim, valueDim, queryBlock, keyBlock;
  bool causal;

  explicit Entry(Variant &&taken)
      : variant(std::move(taken)), dtype(variant.dtype()), headDim(variant.extent("q", 3)),
        valueDim(variant.extent("v", 3)), queryBlock(variant.config("block_m")),
        keyBlock(variant.config("block_n")), causal(variant.config("causal") != 0) {}
};

std::vector<Entry> *entriesOf(const char *kernel) {
  auto *made = new std::vector<Entry>;
  for (Variant &variant : kernels::variantsOf(kernel))
    made->emplace_back(std::move(variant));
  return made;
}

/// Never destroyed, as the next: at exit the driver may be gone first.
const std::vector<Entry> &entries() {
  static const std::vector<Entry> &list = *entriesOf("block_sparse_forward");
  return list;
}

const std::vector<Entry> &denseEntries() {
  static const std::vector<Entry> &list = *entriesOf("dense_forward");
  return list;
}

std::string describe(DType dtype, int64_t headDim, bool causal) {
  return std::string(name(dtype)) + " with head_dim " + std::to_string(headDim) +
         (causal ? ", causal" : ", not causal");
}

std::string describe(DType dtype, int64_t headDim, int64_t valueDim, int64_t queryBlock,
                     int64_t keyBlock, bool causal) {
  return std::string(name(dtype)) + " with head_dim " + std::to_string(headDim) + ", value_dim " +
         std::to_string(valueDim) + ", blocks of " + std::to_string(queryBlock) + " queries by " +
         std::to_string(keyBlock) + " keys" + (causal ? ", causal" : ", not causal");
}

Status nothingFits(const Tensor &q, const Tensor &v, const BlockSparseOptions &options) {
  std::string present;
  for (const Entry &entry : entries())
    present +=
        (present.empty() ? "" : "; ") + describe(entry.dtype, entry.headDim, entry.valueDim,
                                                 entry.queryBlock, entry.keyBlock, entry.causal);
  return kernels::noKernel(describe(q.dtype, q.shape[3], v.shape[3], options.queryBlock,
                                    options.keyBlock, options.causal),
                           present);
}

Result<const Entry *> choose(const BlockSparseTensors &tensors, const BlockSparseOptions &options) {
  const Tensor &q = tensors.q, &v = tensors.v;
  if (Status status = kernels::checkRank("q", q, {"batch", "heads", "q_len", "head_dim"});
      !status.ok())
    return status;
  if (Status status = kernels::checkRank("v", v, {"batch", "kv_heads", "kv_len", "value_dim"});
      !status.ok())
    return status;
  for (const Entry &entry : entries())
    if (entry.dtype == q.dtype && entry.headDim == q.shape[3] && entry.valueDim == v.shape[3] &&
        entry.queryBlock == options.queryBlock && entry.keyBlock == options.keyBlock &&
        entry.causal == options.causal)
      return &entry;
  return nothingFits(q, v, options);
}

Result<const Entry *> choose(const AttentionTensors &tensors, const AttentionOptions &options) {
  const Tensor &q = tensors.q;
  if (Status status = kernels::checkRank("q", q, {"batch", "heads", "q_len", "head_dim"});
      !status.ok())
    return status;
  for (const Entry &entry : denseEntries())
    if (entry.dtype == q.dtype && entry.headDim == q.shape[3] && entry.causal == options.causal)
      return &entry;
  std::string present;
  for (const Entry &entry : denseEntries())
    present += (present.empty() ? "" : "; ") + describe(entry.dtype, entry.headDim, entry.causal);
  return kernels::noKernel(describe(q.dtype, q.shape[3], options.causal), present);
}

Arg scaleFactor(float scale, const Entry &entry) {
  if (scale == 0)
    scale = 1 / std::sqrt(static_cast<float>(entry.headDim));
  return Arg::real(DType::f32, scale);
}
} // namespace

Status tile::attention(Stream stream, const AttentionTensors &tensors,
                       const AttentionOptions &options) {
  Result<const Entry *> entry = choose(tensors, options);
  if (!entry.ok())
    return Status::error("attention: " + entry.message());
  const Arg args[] = {tensors.q, tensors.k,   tensors.v,
                      tensors.o, tensors.lse, scaleFactor(options.scale, **entry)};
  return (*entry)->variant.launch("attention", stream, args);
}

Result<int64_t> tile::blockSparseAttentionWorkspace(const BlockSparseTensors &tensors,
                                                    const BlockSparseOptions &options) {
  Result<const Entry *> entry = choose(tensors, options);
  if (!entry.ok())
    return Status::error("block_sparse_attention: " + entry.message());
  return int64_t(0);
}

Status tile::blockSparseAttention(Stream stream, const BlockSparseTensors &tensors,
                                  const BlockSparseOptions &options, const Tensor &) {
  Result<const Entry *> entry = choose(tensors, options);
  if (!entry.ok())
    return Status::error("block_sparse_attention: " + entry.message());
  const Arg args[] = {
      tensors.q,          tensors.k, tensors.v,   tensors.blockCount,
      tensors.blockIndex, tensors.o, tensors.lse, scaleFactor(options.scale, **entry)};
  return (*entry)->variant.launch("block_sparse_attention", stream, args);
}

Status tile::mergeSplits(Stream stream, const Tensor &part, const Tensor &partLse,
                         const Tensor &out, const Tensor &lse) {
  static const kernels::Family &family = *new kernels::Family(
      "merge_splits", "merge_splits", {{.field = "head_dim", .label = "head_dim"}});
  Status status = family.checkRank("part", part, {"splits", "rows", "head_dim"});
  return status.ok() ? family.run(stream, {part.shape[2]}, {part, partLse, out, lse}) : status;
}

//===- Attention.cpp - chooses the attention kernel for a call --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Attention.h"

#include "AttentionEntry.h"

using namespace tile;
using kernels::AttentionEntry;

namespace {
const std::vector<AttentionEntry> &entries() {
  static const std::vector<AttentionEntry> &list = *kernels::attentionEntries("dense_forward");
  return list;
}

std::string describe(DType dtype, int64_t headDim, bool causal) {
  return std::string(name(dtype)) + " with head_dim " + std::to_string(headDim) +
         (causal ? ", causal" : ", not causal");
}

Result<const AttentionEntry *> choose(const AttentionTensors &tensors,
                                      const AttentionOptions &options) {
  const Tensor &q = tensors.q;
  if (Status status = kernels::checkRank("q", q, {"batch", "heads", "q_len", "head_dim"});
      !status.ok())
    return status;
  for (const AttentionEntry &entry : entries())
    if (entry.dtype == q.dtype && entry.headDim == q.shape[3] && entry.causal == options.causal)
      return &entry;
  std::string present;
  for (const AttentionEntry &entry : entries())
    present += (present.empty() ? "" : "; ") + describe(entry.dtype, entry.headDim, entry.causal);
  return kernels::noKernel(describe(q.dtype, q.shape[3], options.causal), present);
}
} // namespace

Status tile::attention(Stream stream, const AttentionTensors &tensors,
                       const AttentionOptions &options) {
  Result<const AttentionEntry *> entry = choose(tensors, options);
  if (!entry.ok())
    return Status::error("attention: " + entry.message());
  const Arg args[] = {tensors.q, tensors.k,   tensors.v,
                      tensors.o, tensors.lse, (*entry)->scaleFactor(options.scale)};
  return (*entry)->variant.launch("attention", stream, args);
}

Status tile::mergeSplits(Stream stream, const Tensor &part, const Tensor &partLse,
                         const Tensor &out, const Tensor &lse) {
  static const kernels::Family &family = *new kernels::Family(
      "merge_splits", "merge_splits", {{.field = "head_dim", .label = "head_dim"}});
  Status status = family.checkRank("part", part, {"splits", "rows", "head_dim"});
  return status.ok() ? family.run(stream, {part.shape[2]}, {part, partLse, out, lse}) : status;
}

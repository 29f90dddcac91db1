//===- AttentionEntry.h - what an attention kernel was compiled for -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_HOST_ATTENTIONENTRY_H
#define KERNELS_HOST_ATTENTIONENTRY_H

#include "Family.h"

#include <cmath>

namespace kernels {

/// What a variant was compiled for, in a form that is quick to compare. The blocks of a kernel
/// without lists are nobody's concern.
struct AttentionEntry {
  Variant variant;
  tile::DType dtype;
  int64_t headDim, valueDim, queryBlock, keyBlock;
  bool causal;

  explicit AttentionEntry(Variant &&taken)
      : variant(std::move(taken)), dtype(variant.dtype()), headDim(variant.extent("q", 3)),
        valueDim(variant.extent("v", 3)), queryBlock(variant.config("block_m")),
        keyBlock(variant.config("block_n")), causal(variant.config("causal") != 0) {}

  /// The argument for a scale of the caller's, where 0 stands for 1/sqrt(head_dim).
  tile::Arg scaleFactor(float scale) const {
    return tile::Arg::real(tile::DType::f32,
                           scale == 0 ? 1 / std::sqrt(static_cast<float>(headDim)) : scale);
  }
};

/// The entries of a kernel; for a variable that is never destroyed: at exit the driver may be gone
/// first.
inline std::vector<AttentionEntry> *attentionEntries(const char *kernel) {
  auto *made = new std::vector<AttentionEntry>;
  for (Variant &variant : variantsOf(kernel))
    made->emplace_back(std::move(variant));
  return made;
}

} // namespace kernels

#endif // KERNELS_HOST_ATTENTIONENTRY_H

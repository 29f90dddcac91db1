//===- Masks.h - which keys a query may see ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_COMMON_MASKS_H
#define KERNELS_COMMON_MASKS_H

#include "tile/dsl/Dsl.h"

namespace kernels {

/// The keys of a window that exist and, if `causal`, do not lie after the query. The sequences are
/// aligned at their ends: the last query sees the last key.
inline tile::Fragment<tile::i1> visible_keys(const tile::Window &queries, const tile::Window &keys,
                                             bool causal, const tile::Dim &q_len,
                                             const tile::Dim &kv_len,
                                             tile::Loc loc = tile::Loc::current()) {
  auto visible = keys.valid(loc);
  if (!causal)
    return visible;
  tile::Scope scope(visible, loc);
  return visible & (queries.position() + (kv_len - q_len) >= keys.position());
}

} // namespace kernels

#endif // KERNELS_COMMON_MASKS_H

//===- Coalesced.h - the layout in which memory is met --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LAYOUT_COALESCED_H
#define TILEC_LAYOUT_COALESCED_H

#include "tilec/Layout/FragmentLayout.h"

namespace tilec {

/// Blocked, with 16 bytes per access where the last axis has them. Also how the threads share a
/// copy of rows at an index tile, whose index has to lie in a slice of this layout.
FragmentLayout coalesced(llvm::ArrayRef<int64_t> shape, int64_t elementBytes, int64_t numWarps);

/// How the threads of a producer (a warpgroup) share the rows that they gather: lanes along 128
/// bytes of a row, 16 each, so that whole lines are read. A thread's rows are 8 or a multiple
/// apart, where swizzles repeat: one address serves all of them. The index lies in the slice along
/// the rows.
FragmentLayout gatherLayout(llvm::ArrayRef<int64_t> shape, int64_t elementBytes, int64_t numWarps);

} // namespace tilec

#endif // TILEC_LAYOUT_COALESCED_H

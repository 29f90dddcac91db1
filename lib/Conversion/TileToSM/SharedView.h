//===- SharedView.h - a shared tile, or part of one, as addresses see it ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The handle of a slice becomes the address of the whole tile: its layout, and with it the swizzle,
// is the whole one's. Where the slice starts is added to coordinates, or, if it is whole periods of
// the swizzle further, to the address.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_SHAREDVIEW_H
#define TILEC_LIB_CONVERSION_TILETOSM_SHAREDVIEW_H

#include "Lowering.h"
#include "tilec/Layout/SharedLayout.h"

namespace tilec::to_sm {

/// The thread's part of a coordinate: 0 <= value <= max, and only bits of `mask` are ever set.
struct ThreadCoord {
  Value value;
  int64_t max = 0, mask = 0;
};

struct SharedView {
  Value base;                      // i32
  SharedLayout layout;             // of the whole tile
  SmallVector<int64_t> extents;    // of the part
  SmallVector<int64_t> rowExtents; // of the leading axes: how coordinates count rows of the whole
  ThreadCoord row, column;         // where the part starts from `base` on; the column in bytes
  int64_t columnMultiple = 1024;   // bytes that divide the column where rows of the part start
  bool isPart = false;             // a slice, not a whole tile

  /// Counts the rows along other axes: those of a window that are put together in the tile.
  void setExtents(ArrayRef<int64_t> shape);
};

/// What `handle`, a shared tile or a slice, shows; `address` is what it was converted to.
SharedView viewOf(Emitter e, const KernelState &state, Value handle, Value address);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_SHAREDVIEW_H

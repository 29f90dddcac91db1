//===- Indexed.h - tiles whose positions are looked up ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOLINALG_INDEXED_H
#define TILEC_LIB_CONVERSION_TILETOLINALG_INDEXED_H

#include "Lowering.h"

namespace tilec::host {

/// A tile of `shape` whose positions along `axis` are looked up in `index`.
struct Indexed {
  Location loc;
  ArrayRef<int64_t> shape;
  Value memory; // memref of the tensor or the shared tile
  std::optional<WindowBox> box;
  Value index, mask;
  int64_t axis;

  bool isRows() const { return cast<RankedTensorType>(index.getType()).getRank() == 1; }
  /// Calls `body` for each element that is there, with its indices in the tile and in memory.
  void forEachThere(OpBuilder &b,
                    function_ref<void(OpBuilder &, ValueRange, ValueRange)> body) const;

private:
  Value bound(OpBuilder &b) const;
  Value isThere(OpBuilder &b, Value position, ValueRange indices) const;
  void visit(OpBuilder &b, ValueRange lookup,
             function_ref<void(OpBuilder &, Value position)> body) const;
  SmallVector<Value> memoryIndices(OpBuilder &b, ValueRange indices, Value position) const;
};

/// The tile in `memory`, a window or a shared tile; an error at `op` if that cannot be resolved.
/// `mask` may be null.
FailureOr<Indexed> indexedTile(Operation *op, Value memory, ArrayRef<int64_t> shape, Value index,
                               Value mask, int64_t axis, OpBuilder &b, KernelState &state);

} // namespace tilec::host

#endif // TILEC_LIB_CONVERSION_TILETOLINALG_INDEXED_H

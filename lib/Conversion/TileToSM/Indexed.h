//===- Indexed.h - memory whose positions an index tile gives ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_INDEXED_H
#define TILEC_LIB_CONVERSION_TILETOSM_INDEXED_H

#include "Access.h"

namespace tilec::to_sm {

/// The index and mask of a gather, scatter or atomic operation.
struct IndexOperands {
  Value tile;        // the index before conversion
  Value index, mask; // converted; no mask: null
  int64_t axis;
};

/// Fails at `op` unless the index, and so its mask, lies as the tile of `layout` or, of rank 1, as
/// its slice along the axis.
LogicalResult checkIndexLayout(Operation *op, Value index, int64_t axis,
                               const FragmentLayout &layout);

/// Where the elements of a tile are along the axis that an index tile replaces. Everything is
/// computed where this is made, so it can be used in any region behind.
class IndexedAxis {
public:
  IndexedAxis(Emitter e, const IndexOperands &operands);

  /// Leaves those whose coordinate `origin` + index is in [0, end) (i64).
  void limit(Emitter e, Value origin, Value end);
  /// What the index says for the element at `offset` from the thread's coordinates (i64).
  Value position(ArrayRef<int64_t> offset) const { return entry(offset).position; }
  /// Whether that is there; null if always.
  Value isThere(ArrayRef<int64_t> offset) const { return entry(offset).there; }
  /// True if all of the thread's elements within a tile of these extents are there; null if always.
  Value allThere(Emitter e, ArrayRef<int64_t> extents, ArrayRef<ThreadCoord> coords) const;

  int64_t axis() const { return indexed; }
  /// One index for a whole row.
  bool isRows() const { return rows; }

private:
  struct Entry {
    Value position, there;
  };
  const Entry &entry(ArrayRef<int64_t> offset) const;

  int64_t indexed;
  bool rows;
  std::map<SmallVector<int64_t>, Entry> entries;
};

/// A window of which an index gives the positions along one axis.
class IndexedWindow {
public:
  /// Limits `index` to what is there of the window. `bytes`: of an element.
  IndexedWindow(Emitter e, const Window &window, const WindowFacts &facts, int64_t bytes,
                ArrayRef<int64_t> extents, IndexedAxis &index);

  /// How a fragment of this layout goes, in vectors of up to 16 bytes.
  AccessPlan plan(Emitter e, const FragmentLayout &layout, ArrayRef<ThreadCoord> coords) const;
  /// For `accessWindow`.
  WindowTile tile() const { return {asked, facts, bytes, counted}; }
  /// True (uniformly) if all of the window but for the indexed axis is there; null if always.
  Value isInside(Emitter e) const { return to_sm::isInside(e, asked, counted); }

  Window window; // all of the indexed axis counts as there
  WindowFacts facts;
  int64_t bytes;
  SmallVector<int64_t> extents;
  const IndexedAxis &index;

private:
  // The same, except that the indexed axis has two positions at least: its stride counts where an
  // address is asked for its alignment.
  Window asked;
  SmallVector<int64_t> counted;
};

/// Rows or elements of a window at an index tile, in one region.
class IndexedGlobal : public TileMemory {
public:
  IndexedGlobal(Emitter e, const IndexedWindow &from, ArrayRef<ThreadCoord> coords, AccessWay way);
  Value address(ArrayRef<int64_t> offset) override;
  Value isThere(ArrayRef<int64_t> offset) override;
  bool isSplit() const override { return way.split; }
  Value load(Type type, Value address) override;
  void store(Value value, Value address) override;

private:
  const IndexedWindow &from;
  WindowAddress where;
  AccessWay way;
  std::map<SmallVector<int64_t>, Value> rows;
  std::map<std::pair<void *, void *>, Value> predicates;
};

/// Starts this thread's copies of rows into a shared tile, in chunks of `length` elements; what is
/// not there arrives as 0. `inside`: all of the window is there, as far as the index goes.
void copyRowsAsync(Emitter e, const IndexedWindow &from, const SharedView &to,
                   const FragmentLayout &layout, ArrayRef<ThreadCoord> coords, int64_t length,
                   bool inside);

/// Rows or elements of a shared tile, or of a part of one, at an index tile, in one region.
class IndexedShared : public TileMemory {
public:
  /// `extents`: of the fragment. `inside`: all of the thread's elements are there.
  IndexedShared(Emitter e, const SharedView &view, ArrayRef<int64_t> extents,
                const IndexedAxis &index, ArrayRef<ThreadCoord> coords, bool inside = false);
  Value address(ArrayRef<int64_t> offset) override;
  Value isThere(ArrayRef<int64_t> offset) override;
  Value load(Type type, Value address) override;
  void store(Value value, Value address) override;

private:
  SharedView view;
  const IndexedAxis &index;
  SmallVector<ThreadCoord> coords;
  bool inside;
  std::map<SmallVector<int64_t>, SharedAddress> rows;
  std::map<std::pair<void *, void *>, Value> predicates;
};

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_INDEXED_H

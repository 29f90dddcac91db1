//===- Address.h - addresses and bounds of tiles in memory -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All classes here cache values at the place where they are used first: one instance per region.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_ADDRESS_H
#define TILEC_LIB_CONVERSION_TILETOSM_ADDRESS_H

#include "Lowering.h"
#include "SharedView.h"
#include "tilec/Layout/FragmentLayout.h"
#include "tilec/Layout/SharedLayout.h"
#include <map>

namespace tilec::to_sm {

/// A coordinate that is no more than a constant 0.
ThreadCoord zeroCoord(Emitter e);
/// Any value from 0 to `max`.
ThreadCoord anyCoord(Value value, int64_t max);
ThreadCoord sum(Emitter e, const ThreadCoord &a, const ThreadCoord &b);
/// Bits shift .. shift + bits - 1 of a lane's number, the lowest counting `unit`.
ThreadCoord laneField(Emitter e, const KernelState &state, int64_t shift, int64_t bits,
                      int64_t unit);

/// Per axis, base(warp, lane) of the layout.
SmallVector<ThreadCoord> threadCoords(Emitter e, const KernelState &state,
                                      const FragmentLayout &layout);
/// The part of it that the `warps` digits give: where a warp's (or warpgroup's) share of the tile
/// starts. Uniform over the warp (warpgroup).
ThreadCoord digitCoord(Emitter e, const KernelState &state, const FragmentLayout &layout, int axis);
/// True in the thread that stores what several threads hold; null if none do.
Value isFirstCopy(Emitter e, const KernelState &state, const FragmentLayout &layout);

/// Addresses (i32) in a shared tile.
class SharedAddress {
public:
  /// `coords` is the thread's part, one per axis.
  SharedAddress(Emitter e, const SharedView &view, ArrayRef<ThreadCoord> coords);
  /// Address of the element at the thread's coordinates plus `offset`.
  Value at(ArrayRef<int64_t> offset);

private:
  Value general(int64_t row, int64_t columnBytes) const;
  Value threadPart(int64_t rowPhase, int64_t chunkBits);
  Value phase(Value row) const;

  Emitter e;
  Value tile;
  SharedLayout layout;
  SmallVector<int64_t> rowExtents;
  ThreadCoord row, column; // the column in bytes
  std::map<std::pair<int64_t, int64_t>, Value> cache;
};

/// The values of a window, in the order of its converted types.
struct Window {
  Value base;                         // i64 address of the element at coordinates 0
  SmallVector<Value, 4> strides;      // i64 bytes, per axis
  SmallVector<Value, 4> lower, upper; // i32: elements with lower <= coordinate < upper are there
  // i64, per axis: where the window starts in the tensor, and the first coordinate there past what
  // is there (at least 0).
  SmallVector<Value, 4> origin, end;

  static Window unpack(mlir::ValueRange values);
  SmallVector<Value> pack() const;
};

/// Addresses (i64) in a window.
class WindowAddress {
public:
  WindowAddress(Emitter e, const Window &window, int64_t contiguousAxis, int64_t elementBytes,
                ArrayRef<ThreadCoord> coords);
  Value at(ArrayRef<int64_t> offset);

private:
  Emitter e;
  Window window;
  int64_t contiguousAxis, elementBytes;
  std::map<SmallVector<int64_t>, Value> cache;
  SmallVector<int64_t> last; // the offset whose address was built last
};

/// Whether elements are there, or only inside the tile.
class Bounds {
public:
  /// Elements of a window.
  Bounds(Emitter e, const Window &window, ArrayRef<int64_t> extents, ArrayRef<ThreadCoord> coords);
  /// Elements of the tile, where a layout covers more.
  Bounds(Emitter e, ArrayRef<int64_t> extents, ArrayRef<ThreadCoord> coords);
  /// True if the element at the thread's coordinates plus `offset` is there; null if always.
  Value at(ArrayRef<int64_t> offset);
  /// The same for one axis.
  Value axis(int64_t axis, int64_t offset);
  /// True if of `length` elements from there on along the axis some are there and some are not;
  /// null if never.
  Value cuts(int64_t axis, int64_t offset, int64_t length);
  /// How many elements from there on are there along the axis (i32; negative past the end).
  Value remaining(int64_t axis, int64_t offset) const;

private:
  Emitter e;
  SmallVector<int64_t> extents;
  SmallVector<ThreadCoord> coords;
  SmallVector<Value, 4> lower, upper;
  std::map<std::pair<int64_t, int64_t>, Value> axisCache;
  std::map<SmallVector<int64_t>, Value> cache;
};

/// True (uniformly) if all elements of the window are there; null if that is known.
Value isInside(Emitter e, const Window &window, ArrayRef<int64_t> extents);
/// True (uniformly) if the window's start and the strides that matter are multiples of `bytes`.
Value isAlignedTo(Emitter e, const Window &window, ArrayRef<int64_t> extents,
                  int64_t contiguousAxis, int64_t bytes);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_ADDRESS_H

//===- Chunks.cpp - which thread copies which chunk of a tile ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Copy.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
/// Rows (all axes but the last taken together) and chunks per row of a tile.
struct ChunkGrid {
  ArrayRef<int64_t> extents;
  int64_t length, rows = 1, perRow, threads;

  ChunkGrid(ArrayRef<int64_t> extents, int64_t length, int64_t threads)
      : extents(extents), length(length), perRow(extents.back() / length), threads(threads) {
    for (int64_t extent : extents.drop_back())
      rows *= extent;
  }

  ThreadCoord column(Emitter e, Value chunk) const {
    ThreadCoord coord = anyCoord(e.mul(chunk, length), (perRow - 1) * length);
    if (llvm::isPowerOf2_64(length))
      coord.mask &= ~(length - 1);
    return coord;
  }
};
} // namespace

/// Consecutive rows per step: chunk = thread, then `threads / perRow` rows down.
static ChunkGroup spreadOverRows(Emitter e, Value thread, const ChunkGrid &grid) {
  int64_t rowStep = grid.threads / grid.perRow;
  int64_t steps = llvm::divideCeilSigned(grid.rows, rowStep);
  ThreadCoord row = anyCoord(e.div(thread, grid.perRow), rowStep - 1);
  ChunkGroup group;
  group.coords = {row, grid.column(e, e.rem(thread, grid.perRow))};
  for (int64_t step = 0; step < steps; ++step)
    group.steps.push_back({step * rowStep, 0});
  if (grid.rows % rowStep != 0)
    group.active = e.compare(arith::CmpIPredicate::slt, e.add(row.value, (steps - 1) * rowStep),
                             e.i32(grid.rows));
  return group;
}

/// Several steps per row: all threads are in the same row.
static ChunkGroup spreadWithinRows(Emitter e, Value thread, const ChunkGrid &grid) {
  ChunkGroup group;
  ThreadCoord column = anyCoord(e.mul(thread, grid.length), (grid.threads - 1) * grid.length);
  column.mask &= ~(grid.length - 1);
  group.coords = {zeroCoord(e), column};
  for (int64_t row = 0; row < grid.rows; ++row)
    for (int64_t chunk = 0; chunk < grid.perRow; chunk += grid.threads)
      group.steps.push_back({row, chunk * grid.length});
  return group;
}

/// Any tile: coordinates of each chunk from its number.
static SmallVector<ChunkGroup> spreadAny(Emitter e, Value thread, const ChunkGrid &grid) {
  SmallVector<ChunkGroup> groups;
  int64_t total = grid.rows * grid.perRow;
  for (int64_t first = 0; first < total; first += grid.threads) {
    Value chunk = e.add(thread, first);
    ChunkGroup group;
    if (first + grid.threads > total) {
      group.active = e.compare(arith::CmpIPredicate::slt, chunk, e.i32(total));
      chunk = e.min(chunk, e.i32(total - 1));
    }
    Value row = e.div(chunk, grid.perRow);
    group.coords.push_back(grid.column(e, e.rem(chunk, grid.perRow)));
    for (size_t axis = grid.extents.size() - 1; axis-- > 0;) {
      int64_t extent = grid.extents[axis];
      Value x = axis == 0 ? row : e.rem(row, extent);
      group.coords.insert(group.coords.begin(), anyCoord(x, extent - 1));
      row = e.div(row, extent);
    }
    group.steps.push_back(SmallVector<int64_t>(grid.extents.size(), 0));
    groups.push_back(std::move(group));
  }
  return groups;
}

SmallVector<ChunkGroup> tilec::to_sm::spreadChunks(Emitter e, const KernelState &state,
                                                   ArrayRef<int64_t> extents, int64_t length) {
  ChunkGrid grid(extents, length, state.numThreads());
  if (extents.size() == 2 && grid.threads % grid.perRow == 0)
    return {spreadOverRows(e, state.thread, grid)};
  if (extents.size() == 2 && grid.perRow % grid.threads == 0)
    return {spreadWithinRows(e, state.thread, grid)};
  return spreadAny(e, state.thread, grid);
}

//===- Parts.cpp - shared tiles that several copies fill ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_pipe;

tile::AllocSharedOp to_pipe::filledTile(Value target) {
  while (auto slice = target.getDefiningOp<tile::SliceOp>())
    target = slice.getSource();
  return target.getDefiningOp<tile::AllocSharedOp>();
}

/// Where a slice of a slice starts in the tile, if that is known.
static std::optional<SmallVector<int64_t>> startOf(Value target, size_t rank) {
  SmallVector<int64_t> start(rank, 0);
  for (auto slice = target.getDefiningOp<tile::SliceOp>(); slice;
       slice = slice.getSource().getDefiningOp<tile::SliceOp>()) {
    size_t lacks = rank - slice.getOffsets().size(); // leading axes
    for (auto [axis, offset] : llvm::enumerate(slice.getOffsets())) {
      std::optional<int64_t> known = getConstantIntValue(offset);
      if (!known)
        return std::nullopt;
      start[lacks + axis] += *known;
    }
  }
  return start;
}

std::optional<TilePart> to_pipe::filledPart(Value target, std::string &reason) {
  SharedLayout whole = filledTile(target).getType().getLayout();
  ArrayRef<int64_t> extents = whole.shape,
                    shape = cast<tile::SharedType>(target.getType()).getShape();
  size_t rank = extents.size();
  std::optional<SmallVector<int64_t>> start = startOf(target, rank);
  if (!start) {
    reason = "which part of the shared tile this copy fills is not known to the compiler";
    return std::nullopt;
  }
  SmallVector<int64_t> sizes(rank - shape.size(), 1);
  llvm::append_range(sizes, shape);
  TilePart part{0, 1, start->back(), sizes.back()};
  for (size_t axis = 0; axis + 1 < rank; ++axis) {
    if (part.rows != 1 && sizes[axis] != extents[axis]) {
      reason = "the rows of this part of the shared tile do not lie behind each other";
      return std::nullopt;
    }
    part.row = part.row * extents[axis] + (*start)[axis];
    part.rows *= sizes[axis];
  }
  reason = part.elements() == whole.rows() * extents.back() ? "" : whole.tmaProblem(part);
  if (reason.empty())
    return part;
  reason = "TMA cannot fill this part of the shared tile: " + reason;
  return std::nullopt;
}

void to_pipe::groupByTile(SmallVectorImpl<CopyPlan> &copies) {
  llvm::MapVector<Operation *, SmallVector<CopyPlan>> ofTile;
  for (CopyPlan &copy : copies)
    ofTile[copy.tile].push_back(copy);
  copies.clear();
  for (auto &[tile, group] : ofTile)
    llvm::append_range(copies, group);
  for (size_t i = 0; i < copies.size(); ++i) {
    copies[i].opens = i == 0 || copies[i - 1].tile != copies[i].tile;
    copies[i].closes = i + 1 == copies.size() || copies[i + 1].tile != copies[i].tile;
  }
}

MutableArrayRef<CopyPlan> to_pipe::copiesOfTile(MutableArrayRef<CopyPlan> copies, size_t first) {
  size_t end = first;
  while (!copies[end].closes)
    ++end;
  return copies.slice(first, end + 1 - first);
}

static std::string rowsText(int64_t first, int64_t end) {
  return "rows " + std::to_string(first) + " to " + std::to_string(end - 1);
}

std::string to_pipe::fillProblem(tile::AllocSharedOp tile, ArrayRef<CopyPlan> copies) {
  SharedLayout layout = tile.getType().getLayout();
  SmallVector<int64_t> bounds{0, layout.rows()};
  for (auto [number, copy] : llvm::enumerate(copies)) {
    const TilePart &part = copy.part;
    bounds.append({part.row, part.endRow()});
    for (const CopyPlan &other : copies.take_front(number))
      if (part.overlaps(other.part))
        return rowsText(std::max(part.row, other.part.row),
                        std::min(part.endRow(), other.part.endRow())) +
               " of this shared tile are filled by two copies";
  }
  llvm::sort(bounds);
  for (auto [first, end] : llvm::zip(bounds, ArrayRef<int64_t>(bounds).drop_front())) {
    int64_t filled = 0;
    for (const CopyPlan &copy : copies)
      if (copy.part.row <= first && first < copy.part.endRow())
        filled += copy.part.columns;
    if (first < end && filled == 0)
      return rowsText(first, end) + " of this shared tile are filled by no copy";
    if (first < end && filled < layout.shape.back())
      return "of " + rowsText(first, end) + " of this shared tile copies fill " +
             std::to_string(filled) + " elements of " + std::to_string(layout.shape.back());
  }
  return "";
}

//===- TileGatherOps.cpp - rows and elements at computed indices ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Indexed.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileGatherOps.cpp.inc"

namespace {
/// A window, a shared tile or a fragment.
struct Shaped {
  ArrayRef<int64_t> shape;
  Type element;
};
} // namespace

static Shaped shapedOf(Type type) {
  if (auto window = dyn_cast<WindowType>(type))
    return {window.getShape(), window.getElementType()};
  if (auto shared = dyn_cast<SharedType>(type))
    return {shared.getShape(), shared.getElementType()};
  auto tensor = cast<RankedTensorType>(type);
  return {tensor.getShape(), tensor.getElementType()};
}

LogicalResult tile::verifyIndexed(Operation *op, Type tile, RankedTensorType index, Value mask,
                                  int64_t axis, bool rowsOnly) {
  ArrayRef<int64_t> shape = shapedOf(tile).shape;
  int64_t rank = shape.size();
  if (axis < 0 || axis >= rank)
    return op->emitOpError() << "expected an axis below " << rank << ", found " << axis;
  if (!index.getElementType().isInteger(32) && !index.getElementType().isInteger(64))
    return op->emitOpError() << "expected an index of i32 or i64, found " << index;
  bool isRows = index.getRank() == 1 && index.getDimSize(0) == shape[axis];
  if (!isRows && (rowsOnly || index.getShape() != shape))
    return op->emitOpError() << "expected an index of rank 1 with the " << shape[axis]
                             << " positions of axis " << axis
                             << (rowsOnly ? "" : ", or of the tile's shape") << ", found " << index;
  if (!mask)
    return success();
  auto maskType = cast<RankedTensorType>(mask.getType());
  if (!maskType.getElementType().isInteger(1) || maskType.getShape() != index.getShape())
    return op->emitOpError() << "expected a mask of i1 with the shape of the index " << index
                             << ", found " << maskType;
  return success();
}

/// Memory and tile have the same shape, except that a gather from a shared tile may read from an
/// axis of any length.
static LogicalResult verifySameTile(Operation *op, Type memory, Type tile, int64_t axis) {
  Shaped there = shapedOf(memory), here = shapedOf(tile);
  bool same = there.element == here.element && there.shape.size() == here.shape.size();
  for (size_t d = 0; same && d < here.shape.size(); ++d)
    same = there.shape[d] == here.shape[d] ||
           (static_cast<int64_t>(d) == axis && isa<SharedType>(memory));
  if (!same)
    return op->emitOpError() << "expected the same shape and element type on both sides, found "
                             << memory << " and " << tile;
  return success();
}

static LogicalResult verifyPad(Operation *op, std::optional<TypedAttr> pad, Type element) {
  if (pad && pad->getType() != element)
    return op->emitOpError() << "expected a pad value of type " << element << ", found "
                             << pad->getType();
  return success();
}

LogicalResult GatherOp::verify() {
  if (failed(verifyIndexed(*this, getType(), getIndex().getType(), getMask(), getAxis(), false)) ||
      failed(verifySameTile(*this, getSource().getType(), getType(), getAxis())))
    return failure();
  return verifyPad(*this, getPad(), getType().getElementType());
}

LogicalResult GatherCopyOp::verify() {
  SharedType target = getTarget().getType();
  if (failed(verifyIndexed(*this, target, getIndex().getType(), getMask(), getAxis(), true)))
    return failure();
  WindowType source = getSource().getType();
  if (source.getShape() != target.getShape() || source.getElementType() != target.getElementType())
    return emitOpError() << "expected the same shape and element type on both sides, found "
                         << source << " and " << target;
  return verifyPad(*this, getPad(), target.getElementType());
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyIndexed(*this, getValue().getType(), getIndex().getType(), getMask(), getAxis(),
                           false)))
    return failure();
  return verifySameTile(*this, getTarget().getType(), getValue().getType(), getAxis());
}
